# frozen_string_literal: true

# Evaluates Puppet programs with the released Puppet: JSON strings in, one per line; out, one per line,
# {"value": program text} or {"error": message}. The argument is the setting `strict`.

require_relative '../released/home'
require_relative '../released/text'
require 'puppet_pal'

Puppet::Util::Log.level = :crit
Puppet::Pal.in_tmp_environment('production', modulepath: []) do |environment|
  $stdin.each_line do |line|
    answer = begin
      environment.with_script_compiler do |compiler|
        Puppet[:strict] = ARGV[0].to_sym
        { value: text(compiler.evaluate_string(JSON.parse(line))) }
      end
    rescue StandardError => e
      { error: e.message }
    end
    puts JSON.generate(answer)
  end
end
