# frozen_string_literal: true

# Runs scripts in forks of this process, which has loaded the released Puppet: reads, a line of JSON for each, the file
# of the script, those of its input, its output and its errors, and its arguments. Prints whether it has succeeded.

require 'fileutils'
require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'
require 'puppet_pal'

$stdin.each_line do |line|
  script, input, output, errors, *arguments = JSON.parse(line)
  child = fork do
    $stdin.reopen(input)
    $stdout.reopen(output, 'w')
    $stderr.reopen(errors, 'w')
    ARGV.replace(arguments)
    load script
  end
  begin
    Timeout.timeout(300) { Process.wait(child) }
  rescue Timeout::Error
    Process.kill(:KILL, child)
    Process.wait(child)
  end
  puts $?.success?
  $stdout.flush
end
