# frozen_string_literal: true

# Runs Ruby code of modules for evaluator/ruby, which it speaks to in lines of JSON. It is given a number of bytes of
# memory, and "library" when the released Puppet's library may be used.
#
# What is asked of it, on its standard input; each request is answered with {"value"} or {"raise"}:
#   {"do": "load", "interface": 3 | 4, "name", "file", "text"}     a file with a function: what it declares
#   {"do": "call", "name", "dispatch", "arguments", "block", "scope"}       a call of a function that is loaded
#   {"do": "template", "text", "file", "variables", "scope"}                a template to render
#   {"do": "yield", "block", "arguments"}                                   a call of a block that it has passed
#   {"do": "reset", "libraries": [folder, ...]}        a new program: answered with the number of its process group
#   {"do": "end"}              no more of this program: answered with {"ended"} when nothing of it is left
# What it asks while it works, each answered with {"value"} or {"raise", "number", "kind"}; see questions.py:
#   {"ask": "variable" | "call" | ..., "scope": number, ...}
# What it tells: {"log": level, "text"}.
#
# Each program runs in a process of its own, forked from this one, which has loaded what all of them need: nothing that
# the code of one program leaves behind is met by the next one.

require 'erb'
require 'json'
require 'set'
require 'stringio'
require 'time'

# what the code of modules finds loaded elsewhere; little of it is needed, and most of it takes long
autoload :Base64, 'base64'
autoload :Digest, 'digest'
autoload :FileUtils, 'fileutils'
autoload :Gem, 'rubygems'
autoload :IPAddr, 'ipaddr'
autoload :OpenSSL, 'openssl'
autoload :Psych, 'psych'
autoload :Ripper, 'ripper'
autoload :SecureRandom, 'securerandom'
autoload :URI, 'uri'
autoload :YAML, 'yaml'

module Companion
  # Ruby was started without its packages, which only some of its libraries come in.
  module Packages
    private

    def require(path)
      super
    rescue LoadError
      raise unless Object.autoload?(:Gem)

      Gem # from now on its own way to require is used
      super
    end
  end
end
Object.prepend(Companion::Packages)

class Object # rubocop:disable Style/Documentation
  def to_yaml(...)
    require 'yaml' # which defines this method
    to_yaml(...)
  end
end

module Kernel # rubocop:disable Style/Documentation
  private

  def URI(...) # rubocop:disable Naming/MethodName
    require 'uri' # which defines this method
    URI(...)
  end
end

# The other side: the evaluator, which asks and is asked.
module Companion
  # What was raised on the other side; raised there again when it leaves Ruby as it is.
  module Raised
    attr_reader :number

    def carrying(number)
      @number = number
      self
    end
  end

  # Control flow of the language, which no `rescue` of a function stops.
  class Unwound < Exception # rubocop:disable Lint/InheritException
    include Raised
  end

  # The pipes, and what is under way between the two.
  class Evaluator
    def initialize(input, output)
      @input = input
      @output = output
      @blocks = []
      @asked = 0
      @process = Process.pid
    end

    ENDED = 99 # how the process of a program ends that was asked to

    # The process group of the program that runs.
    attr_reader :running
    # How many questions were asked and requests were met, but for those for all variables.
    attr_reader :asked

    # Runs one program after the other. Ends when nothing is asked any more, and with a program that ends by itself.
    def serve
      while (line = @input.gets)
        @running = fork { run(line) }
        _, status = Process.wait2(@running)
        kill_running
        exit!(1) unless status.exitstatus == ENDED

        tell(ended: true)
      end
    end

    # Kills the program, and what it has started.
    def kill_running
      Process.kill(:KILL, -@running) if @running
    rescue SystemCallError
      @running = nil # none of it is left
    end

    def tell(message)
      exit! unless Process.pid == @process # a fork has no say
      @output.write(JSON.generate(message, allow_nan: true, max_nesting: 0), "\n")
      @output.flush
    end

    def log(level, text)
      tell(log: level.to_s, text: Values.text(text))
    end

    def ask(what, block: nil, **details)
      @asked += 1 unless what == 'all'
      @blocks.push(block)
      tell({ ask: what, block: block && signature(block) }.merge(details))
      loop do
        answer = read(@input.gets || exit!)
        next fulfil(answer) if answer.key?('do')
        return Values.decode(answer['value']) if answer.key?('value')

        raise raised(answer)
      end
    ensure
      @blocks.pop
    end

    private

    # Does what is asked in one program.
    def run(line)
      Process.setpgrp
      @running = @process = Process.pid
      while line
        Scope::OBJECTS.clear
        fulfil(read(line))
        line = @input.gets
      end
      exit!
    end

    def raised(answer)
      kind = { 'unwound' => Unwound, 'unknown' => UnknownFunction }.fetch(answer['kind'], GivenError)
      kind.new(answer['raise']).carrying(answer['number'])
    end

    def signature(block)
      return { given: block.number } if block.is_a?(GivenBlock)

      kinds = block.parameters.map(&:first)
      { number: @blocks.size - 1, takes: kinds.count { |kind| %i[req opt].include?(kind) },
        splat: kinds.include?(:rest) }
    end

    def read(line)
      JSON.parse(line, max_nesting: false, allow_nan: true)
    end

    def fulfil(request)
      @asked += 1
      file = request['file']
      tell(value: REQUESTS.fetch(request['do']).call(self, request))
    rescue SystemExit
      tell(raise: 'exit', kind: 'exit')
    rescue Exception => e # rubocop:disable Lint/RescueException
      tell(failure(e, file))
    end

    # What the released Puppet calls the classes of the host that code meets.
    RELEASED_NAMES = {
      'Companion::TemplateWrapper' => 'Puppet::Parser::TemplateWrapper',
      'Companion::Scope' => 'Puppet::Parser::Scope'
    }.freeze

    def failure(problem, file)
      message = problem.message.gsub(/\bCompanion::(?:TemplateWrapper|Scope)\b/, RELEASED_NAMES)
      known = problem.is_a?(Raised) ? { number: problem.number } : {}
      { raise: Values.text(message), kind: problem.class.name, **known, **place(problem, message, file) }
    end

    # Where it was raised: in the file itself, else wherever that is no part of the host.
    def place(problem, message, file)
      places = problem.is_a?(SyntaxError) ? [] : problem.backtrace_locations || []
      found = places.find { |location| location.path == file } ||
              places.find { |location| !location.path.start_with?(__dir__, '<internal') }
      line = found ? found.lineno : message[/:(\d+):/, 1]
      { line: line && line.to_i, path: found&.path }
    end

    REQUESTS = {
      'load' => ->(_, request) { Loading.load(request) },
      'call' => ->(evaluator, request) { Calling.call(evaluator, request) },
      'template' => ->(evaluator, request) { Templates.render(evaluator, request) },
      'yield' => ->(evaluator, request) { evaluator.run_block(request) },
      'reset' => lambda { |evaluator, request|
        Loading.reset(request['libraries'])
        evaluator.running
      },
      'end' => ->(_, _) { exit!(ENDED) }
    }.freeze

    public

    def run_block(request)
      arguments = request['arguments'].map { |value| Values.decode(value) }
      Values.encode(@blocks[request['block']].call(*arguments))
    end
  end

  # What Ruby code prints: lines of the log, never a part of the conversation.
  class Printed < StringIO
    def initialize(evaluator)
      super()
      @evaluator = evaluator
      @rest = +''
    end

    def write(*parts)
      parts.each { |part| @rest << part.to_s }
      while (line = @rest.slice!(/\A.*?\n/m))
        @evaluator.log('info', line.chomp)
      end
      parts.sum { |part| part.to_s.bytesize }
    end

    def flush
      self
    end

    def tty?
      false
    end
    alias isatty tty?
  end

  class << self
    attr_reader :evaluator

    def start(memory)
      input, output = [$stdin, $stdout].map { |pipe| pipe.dup.tap { |twin| twin.close_on_exec = true } }
      # what other programs write that a function starts is thrown away
      $stdin.reopen(File::NULL)
      [$stdout, $stderr].each { |stream| stream.reopen(File::NULL, 'w') }
      input.set_encoding(Encoding::UTF_8)
      output.set_encoding(Encoding::UTF_8)
      @evaluator = Evaluator.new(input, output)
      $stdout = $stderr = Printed.new(@evaluator)
      Process.setrlimit(:DATA, memory) if memory.positive?
      Process.setrlimit(:CORE, 0)
      end_with_parent
    end

    private

    # Nobody waits for an answer any more once the other side is gone.
    def end_with_parent
      parent = Process.ppid
      Thread.new do
        sleep 0.5 while Process.ppid == parent
        @evaluator.kill_running
        Process.kill(:KILL, 0)
      end
    end
  end
end

def library?
  require 'puppet'
  true
rescue LoadError
  false
end

memory, library = ARGV
ARGV.clear
Companion.start(memory.to_i)
require_relative(library == 'library' && library? ? 'with_library' : 'without_library')
%w[values catalog scope interface templates].each { |part| require_relative part }
Companion.evaluator.serve
