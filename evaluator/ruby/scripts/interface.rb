# frozen_string_literal: true

# The two interfaces in which functions are written. The evaluator gets the declarations of a function and finds the
# dispatch that accepts the arguments of a call; this side executes it.
module Puppet
  # The newer one: a class for each function.
  module Functions
    # The declaration of a dispatch.
    class Dispatch
      attr_reader :injections, :method_name

      def initialize(method_name, mismatch)
        @method_name = method_name
        @mismatch = mismatch
        @parameters = []
        @injections = []
        @block = @returns = nil
      end

      def param(type, name)
        add(type, name, '') { |modes| modes.all?('') or raise ArgumentError, LATE_REQUIRED }
      end
      alias required_param param

      def optional_param(type, name)
        add(type, name, '?')
      end

      def repeated_param(type, name)
        add(type, name, '*')
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add(type, name, '+') { |modes| modes.all?('') or raise ArgumentError, LATE_REPEATED }
      end

      def block_param(*given)
        add_block(given, false)
      end
      alias required_block_param block_param

      def optional_block_param(*given)
        add_block(given, true)
      end

      def return_type(type)
        unless type.is_a?(String) || type.is_a?(Companion::Types::PAnyType)
          raise ArgumentError, "Argument to 'return_type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        @returns = type.to_s
      end

      def to_h
        { method: method_name, parameters: @parameters, block: @block, returns: @returns, mismatch: @mismatch }
      end

      # The arguments of the method, with injected ones at their declared positions.
      def insert_injected(arguments, injected)
        return arguments if injections.empty?

        values = arguments.dup
        injections.each { |place, kind| values.insert(place, injected.fetch(kind)) }
        values
      end

      private

      LATE_REQUIRED = 'A required parameter cannot be added after an optional parameter'
      LATE_REPEATED = 'A required repeated parameter cannot be added after an optional parameter'
      private_constant :LATE_REQUIRED, :LATE_REPEATED

      def add(type, name, mode)
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @block

        modes = @parameters.map(&:last)
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if modes.any? { |one| '*+'.include?(one) && !one.empty? }
        raise ArgumentError, "Parameter name argument must be a Symbol. Got #{name.class}" if name.is_a?(String)
        unless type.is_a?(String) || type.is_a?(Companion::Types::PAnyType)
          raise ArgumentError, "Parameter 'type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        @parameters << [type.to_s, name.to_s, mode]
        yield modes if block_given?
      end

      def add_block(given, optional)
        raise ArgumentError, "block_param accepts max 2 arguments (type, name), got #{given.size}." if given.size > 2

        type, name = given.size == 2 ? given : ['Callable', given.first || :block]
        raise ArgumentError, "Expected block_param name to be a Symbol, got #{name.class}" unless name.is_a?(Symbol)
        raise ArgumentError, 'Attempt to redefine block' if @block

        @block = [type.to_s, name.to_s, optional ? '?' : '']
      end
    end

    # A dispatch with injected parameters.
    class InternalDispatch < Dispatch
      def scope_param
        inject(:scope)
      end

      def cache_param
        inject(:cache)
      end

      %i[compiler_param pal_compiler_param script_compiler_param].each do |name|
        define_method(name) { inject(:compiler) }
      end

      private

      def inject(kind)
        injections << [@parameters.size + injections.size, kind]
      end
    end

    # The base class of functions.
    class Function
      attr_reader :closure_scope

      class << self
        attr_accessor :function_name
        alias name function_name

        def dispatches
          @dispatches ||= []
        end

        # The dispatcher, for a function that overrides `call`.
        def dispatcher
          Companion::Dispatcher.new(name)
        end

        def calls_itself?
          instance_method(:call).owner != Function
        end

        def locals
          @locals ||= []
        end

        def dispatch_class
          Dispatch
        end

        def dispatch(method_name, &block)
          declare(method_name, false, &block)
        end

        def argument_mismatch(method_name, &block)
          declare(method_name, true, &block)
        end

        def local_types(&block)
          LocalTypes.new(locals).instance_eval(&block)
        end

        def default_dispatch(simple_name)
          unless method_defined?(simple_name)
            raise ArgumentError, 'Function Creation Error, cannot create a default dispatcher for function ' \
                                 "'#{simple_name}', no method with this name found"
          end

          made = Dispatch.new(simple_name, false)
          instance_method(simple_name).parameters.each { |kind, parameter| DEFAULT[kind]&.call(made, parameter) }
          dispatches << made
        end

        private

        DEFAULT = {
          req: ->(made, name) { made.param('Any', name || :_) },
          opt: ->(made, name) { made.optional_param('Any', name) },
          rest: ->(made, name) { made.repeated_param('Any', name || :_) }
        }.freeze
        private_constant :DEFAULT

        def declare(method_name, mismatch, &block)
          made = dispatch_class.new(method_name, mismatch)
          made.instance_eval(&block)
          dispatches << made
        end
      end

      def initialize
        @closure_scope = Companion::Scope::TOP
      end

      def call_function(name, *arguments, &block)
        closure_scope.call_named(name, arguments, caller: self.class.name, &block)
      end

      def call(_scope, *arguments, &block)
        call_function(self.class.name, *arguments, &block)
      end
    end

    # A function with injected parameters.
    class InternalFunction < Function
      def self.dispatch_class
        InternalDispatch
      end

      def call_function_with_scope(scope, name, *arguments, &block)
        scope.call_named(name, arguments, caller: self.class.name, &block)
      end
    end

    # The names of types that one function uses.
    class LocalTypes
      def initialize(texts)
        @texts = texts
      end

      def type(text)
        @texts << text
      end
    end

    class << self
      def create_function(name, base = Function, &block)
        raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{base}" unless base <= Function

        made = Class.new(base)
        made.function_name = name.to_s
        made.class_eval(&block)
        made.default_dispatch(name.to_s.split('::').last) if made.dispatches.empty?
        made
      rescue StandardError => e
        raise ArgumentError, "Function Load Error for function '#{name}': #{e.message}"
      end
      alias create_loaded_function create_function
    end
  end

  module Pops
    # The base class that some functions name.
    module Functions
      remove_const(:Function) if const_defined?(:Function, false)
      Function = Puppet::Functions::Function
    end
  end

  module Parser
    # The older one: a method of the scope for each function.
    module Functions
      # The declarations of functions; the methods themselves belong to the scope.
      class << self
        def newfunction(name, options = {}, &block)
          kind = options[:type] || :statement
          raise DevError, "Invalid statement type #{kind.inspect}" unless %i[statement rvalue].include?(kind)

          Companion::Scope.define_method("real_function_#{name}", &block)
          declared << name.to_s
          infos[name.to_sym] = { arity: options[:arity] || -1, type: kind, name: "function_#{name}", doc: options[:doc] }
        end

        # The names of all functions, in the order of their declarations.
        def declared
          @declared ||= []
        end

        def infos
          @infos ||= {}
        end

        def function(name, *_environment)
          Companion.evaluator.query('function', scope: 0, name: name.to_s) ? "function_#{name}" : false
        end

        def rvalue?(name, *_environment)
          function(name)
          infos.fetch(name.to_sym, { type: :rvalue })[:type] == :rvalue
        end

        def arity(name, *_environment)
          infos.fetch(name.to_sym, { arity: -1 })[:arity]
        end

        def autoloader
          self
        end

        def load(name, *_environment)
          function(name)
        end

        def loaded?(name, *_environment)
          infos.key?(name.to_sym)
        end

        def loadall(*); end
      end
    end
  end
end

module Companion
  # Files with functions.
  module Loading
    CLASSES = {} # rubocop:disable Style/MutableConstant
    OBJECTS = {} # rubocop:disable Style/MutableConstant

    class << self
      def reset(libraries, settings)
        OBJECTS.clear
        @unsearched = libraries
        Library.begin_program(libraries, settings)
        true
      end

      # Searches the libraries of modules, too; false if that is so already.
      def search_modules
        libraries, @unsearched = @unsearched, nil
        folders = (libraries || []).flat_map { |folder| Dir[File.join(folder, '*', 'lib')] } - $LOAD_PATH
        $LOAD_PATH.concat(folders)
        folders.any?
      end

      def load(request)
        name, file, text = request.values_at('name', 'file', 'text')
        request['interface'] == 4 ? load_class(name, file, text) : load_method(name, file, text)
      end

      # Loads a function and the libraries of Ruby that it names.
      def prepare(request)
        load(request)
        LIBRARIES.each_key { |name| Object.const_get(name) if request['text'].include?(name.to_s) }
      end

      def object(name)
        OBJECTS[name] ||= CLASSES.fetch(name).new
      end

      private

      def load_class(name, file, text)
        unless text.include?('Puppet::Functions.create_function')
          raise ArgumentError, "The code loaded from #{file} does not seem to be a Puppet 4x API function - no create_function call."
        end

        made = evaluate(text, file)
        check_class(made, name, file)
        CLASSES[name] = made
        OBJECTS.delete(name)
        { dispatches: made.dispatches.map(&:to_h), locals: made.locals, calls_itself: made.calls_itself? }
      end

      # The value of a file, without warnings: a file that is loaded again defines its constants again.
      def evaluate(text, file)
        verbose, $VERBOSE = $VERBOSE, nil
        eval(text, TOPLEVEL_BINDING.dup, file, 1) # rubocop:disable Security/Eval
      ensure
        $VERBOSE = verbose
      end

      def check_class(made, name, file)
        unless made.is_a?(Class) && made <= Puppet::Functions::Function
          raise ArgumentError, "The code loaded from #{file} did not produce a Function class when evaluated. Got '#{made.class}'"
        end
        return if made.function_name == name

        raise ArgumentError, "The code loaded from #{file} produced mis-matched name, expected '#{name}', got #{made.function_name}"
      end

      # A method defined at the top level would belong to every object.
      def check_methods(text, file)
        name, line = first_method(text)
        return unless name

        raise SecurityError, "Illegal method definition of method '#{name}' in source #{file} on line #{line} in legacy function. " \
                             'See https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information'
      end

      # The name and line of the first method that a text defines.
      def first_method(text)
        found = []
        finder = Class.new(Ripper) do
          define_method(:on_ident) { |name| [name, lineno] }
          define_method(:on_def) { |name, *| found << name }
          define_method(:on_defs) { |_target, _dot, name, *| found << name }
        end
        finder.new(text).parse
        found.first
      end

      def load_method(name, file, text)
        unless text.include?('newfunction')
          raise ArgumentError, "The code loaded from #{file} does not seem to be a Puppet 3x API function - no 'newfunction' call."
        end

        check_methods(text, file)
        count = Puppet::Parser::Functions.declared.size
        info = evaluate(text, file)
        unless info.is_a?(Hash)
          raise ArgumentError, "Illegal legacy function definition! The code loaded from #{file} did not return the result " \
                               "of calling 'newfunction'. Got '#{info.class}'"
        end
        unless info[:name] == "function_#{name}"
          raise ArgumentError, "The code loaded from #{file} produced mis-matched name, expected 'function_#{name}', got '#{info[:name]}'"
        end

        { arity: info[:arity], others: Puppet::Parser::Functions.declared.drop(count) - [name] }
      end
    end
  end

  # Dispatches a call by a callback to the evaluator.
  class Dispatcher
    def initialize(name)
      @name = name
    end

    def dispatch(_function, scope, arguments, &block)
      details = { name: @name, arguments: Values.encode(arguments) }
      Companion.evaluator.query('dispatch', scope: scope.number, block: block, **details)
    end
  end

  # Calls of functions that are loaded.
  module Calling
    class << self
      def call(_evaluator, request)
        Loading.load(request['load']) if request['load']
        arguments = request['arguments'].map { |value| Values.decode(value) }
        scope = Scope.new(request['scope'])
        name = request['name']
        return Values.encode(scope.legacy(name, arguments)) unless request['dispatch']

        Values.encode(call_dispatch(name, request, arguments, scope))
      end

      private

      def call_dispatch(name, request, arguments, scope)
        object = Loading.object(name)
        block = request['block'] && Values.decode(request['block'])
        return object.call(scope, *arguments, &block) if request['dispatch'] == 'call'

        dispatch = object.class.dispatches[request['dispatch']]
        injected = { scope: scope, cache: {}, compiler: Compiler.new(scope) }
        object.send(dispatch.method_name, *dispatch.insert_injected(arguments, injected), &block)
      end
    end
  end
end
