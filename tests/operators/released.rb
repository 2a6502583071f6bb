# frozen_string_literal: true

# Evaluates Puppet programs with the released Puppet: JSON strings in, one per line; out, one per line,
# {"value": program text} or {"error": message}. The argument is the setting `strict`.

require 'json'
require 'puppet'
require 'puppet_pal'
require 'tmpdir'

def text(value)
  case value
  when nil then 'undef'
  when Array then "[#{value.map { |element| text(element) }.join(', ')}]"
  when Hash then "{#{value.map { |key, element| "#{text(key)} => #{text(element)}" }.join(', ')}}"
  else Puppet::Pops::Types::StringConverter.convert(value, '%p')
  end
end

Dir.mktmpdir do |home|
  Puppet.initialize_settings(['--confdir', home, '--vardir', home])
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
end
