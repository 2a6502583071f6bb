# frozen_string_literal: true

# The companion process of evaluator/ruby: it runs Ruby code of modules. Both sides exchange lines of JSON. Its arguments
# are a limit of memory in bytes, "library" if the released Puppet's library may be used or "reused" for a process that
# runs all programs itself, and a folder for the files that code stores below Puppet's setting `vardir`. The guardian of
# this process deletes the folder at the end.
#
# Requests, on its standard input; the response to each is {"value"} or {"raise"}; the first of a program to a process
# that has served others has "begin", the settings of the session:
#   {"do": "load", "interface": 3 | 4, "name", "file", "text"}     a file with a function: what it declares
#   {"do": "call", "name", "dispatch", "arguments", "block", "scope", "load"}      a call of a function, which a message
#                                                                           "load" in it loads first
#   {"do": "template", "text", "file", "variables", "scope"}                a template to render
#   {"do": "yield", "block", "arguments"}                                   a call of a block that it has passed
#   {"do": "reset", "libraries": [folder, ...], "prepare": [{"do": "load" | "template", ...}, ...], "token",
#    "settings": {"strict", "version", "environment"}}
#                              begin a program, with code that is loaded before; the response is a list of the token
#                              and whether each was loaded
#   {"do": "end"}              end the program; the response is {"ended"}
# Its callbacks during a request; the result of each is {"value"} or {"raise", "number", "kind"}; see callbacks.py:
#   {"query": "variable" | "call" | ..., "scope": number, ...}
# Log messages: {"log": level, "text"}.
#
# Each program runs in a process forked from this one, which has loaded the common libraries. The next program therefore
# finds no trace of the code of the former one. The guardian of this process ends whatever a program has started. Only
# code that leaves no trace, as its text shows (analysis.py), runs in a process that serves several programs.

require 'erb'
require 'json'
require 'set'
require 'shellwords'
require 'stringio'
require 'time'

# libraries that code of modules expects to be loaded; most are slow to load and seldom used
LIBRARIES = {
  Base64: 'base64',
  Digest: 'digest',
  FileUtils: 'fileutils',
  Gem: 'rubygems',
  IPAddr: 'ipaddr',
  OpenSSL: 'openssl',
  Psych: 'psych',
  Ripper: 'ripper',
  SecureRandom: 'securerandom',
  URI: 'uri',
  YAML: 'yaml'
}.freeze
LIBRARIES.each { |name, library| autoload name, library }

module Companion
  # Ruby was started without RubyGems, in which some of its libraries are installed.
  module Packages
    private

    def require(path)
      super
    rescue LoadError
      if Object.autoload?(:Gem)
        Gem # replaces `require` by its own from here on
        return require(path)
      end
      raise unless defined?(Loading) && Loading.search_modules

      require(path)
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

module Companion
  # The folder `vardir` of the code, which exists once the code has asked for it.
  module Vardir
    PATH = ARGV[2]

    def self.clear
      FileUtils.rm_rf(PATH) if File.exist?(PATH)
    end

    def [](name)
      Dir.mkdir(PATH, 0o700) if name == :vardir && !File.exist?(PATH)
      super
    rescue SystemCallError # nothing can be written there
      super
    end
  end
end

# The connection to the evaluator.
module Companion
  # An exception raised by the evaluator, which raises the original again if this one leaves Ruby.
  module Raised
    attr_reader :number

    def with_number(number)
      @number = number
      self
    end
  end

  # Control flow of the Puppet language, which no `rescue` of a function catches.
  class Unwound < Exception # rubocop:disable Lint/InheritException
    include Raised
  end

  # Raised when code that is loaded for a program to come uses the evaluator.
  class NotPrepared < Exception; end # rubocop:disable Lint/InheritException

  # The pipes to the evaluator, and the state of the current requests.
  class Evaluator
    def initialize(input, output)
      @input = input
      @output = output
      @blocks = []
      @query_count = 0
      @process = Process.pid
    end

    ENDED = 99 # the exit status of a program's process that was requested to end

    # Whether each request to prepare code for this program was done.
    attr_reader :prepared
    READING = %w[all variable valued known].freeze # callbacks that change nothing

    # The number of requests, and of callbacks besides those that only read variables.
    attr_reader :query_count

    # Whether this process runs all programs itself.
    attr_reader :reused

    # Runs one program after the other, until the input ends or a program ends without a request.
    def serve(reused)
      @reused = reused
      run(@input.gets) if reused
      while (line = @input.gets)
        prepare(read(line)['prepare'] || [])
        _, status = Process.wait2(fork { run(line) })
        Vardir.clear
        exit!(1) unless status.exitstatus == ENDED

        send_message(ended: true)
      end
    end

    def send_message(message)
      raise NotPrepared if @prepares

      exit! unless Process.pid == @process # a fork may not send messages
      @output.write(JSON.generate(message, allow_nan: true, max_nesting: 0), "\n")
      @output.flush
    end

    def log(level, text)
      send_message(log: level.to_s, text: Values.text(text))
    end

    def query(what, block: nil, **details)
      @query_count += 1 unless READING.include?(what)
      @blocks.push(block)
      send_message({ query: what, block: block && signature(block) }.merge(details))
      loop do
        answer = read(@input.gets || exit!)
        next handle(answer) if answer.key?('do')
        return Values.decode(answer['value']) if answer.key?('value')

        raise raised(answer)
      end
    ensure
      @blocks.pop
    end

    private

    # Loads code before a program begins. Code that does more than define something is loaded by the program itself.
    def prepare(requests)
      @prepares = true
      @prepared = requests.map do |request|
        request['do'] == 'template' ? Templates.prepare(request['text'], request['file']) : Loading.prepare(request)
        true
      rescue Exception # rubocop:disable Lint/RescueException
        false
      end
    ensure
      @prepares = false
    end

    # Handles the requests of one program.
    def run(line)
      @process = Process.pid
      while line
        Scope::OBJECTS.clear
        handle(read(line))
        line = @input.gets
      end
      exit!
    end

    # Forgets what a former program has left.
    def begin_program(settings)
      Puppet.begin_program(settings)
      Scope::TOP.forget_variables
      Templates.forget_methods
      $stdout.clear
    end

    def raised(answer)
      kind = { 'unwound' => Unwound, 'unknown' => UnknownFunction }.fetch(answer['kind'], GivenError)
      kind.new(answer['raise']).with_number(answer['number'])
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

    def handle(request)
      @query_count += 1
      begin_program(request['begin']) if request['begin']
      file = request['file']
      send_message(value: REQUESTS.fetch(request['do']).call(self, request))
    rescue SystemExit
      send_message(raise: 'exit', kind: 'exit')
    rescue Exception => e # rubocop:disable Lint/RescueException
      send_message(failure(e, file))
    end

    # The names in the released Puppet of the classes that appear in messages.
    RELEASED_NAMES = {
      'Companion::TemplateWrapper' => 'Puppet::Parser::TemplateWrapper',
      'Companion::Scope' => 'Puppet::Parser::Scope'
    }.freeze

    def failure(problem, file)
      message = problem.message.gsub(/\bCompanion::(?:TemplateWrapper|Scope)\b/, RELEASED_NAMES)
      known = problem.is_a?(Raised) ? { number: problem.number } : {}
      { raise: Values.text(message), kind: problem.class.name, **known, **place(problem, message, file) }
    end

    # The position of an exception: in the file itself, or else outside these scripts.
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
        Loading.reset(request['libraries'], request['settings'])
        [request['token'], *evaluator.prepared]
      },
      'end' => ->(_, _) { exit!(ENDED) }
    }.freeze

    public

    def run_block(request)
      arguments = request['arguments'].map { |value| Values.decode(value) }
      Values.encode(@blocks[request['block']].call(*arguments))
    end
  end

  # The output of Ruby code: lines of the log, never messages.
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

    # Drops the beginning of a line.
    def clear
      @rest.clear
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
      # the output of programs that a function starts is discarded
      $stdin.reopen(File::NULL)
      [$stdout, $stderr].each { |stream| stream.reopen(File::NULL, 'w') }
      input.set_encoding(Encoding::UTF_8)
      output.set_encoding(Encoding::UTF_8)
      @evaluator = Evaluator.new(input, output)
      $stdout = $stderr = Printed.new(@evaluator)
      Process.setrlimit(:DATA, memory) if memory.positive?
      Process.setrlimit(:CORE, 0)
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
Puppet.singleton_class.prepend(Companion::Vardir)
%w[values catalog scope interface templates].each { |part| require_relative part }
Companion.evaluator.serve(library == 'reused')
