# frozen_string_literal: true

module Companion
  # Raised for a function that does not exist.
  class UnknownFunction < NoMethodError
    include Raised
  end

  # The `scope` of functions and templates; its number identifies it to the evaluator.
  class Scope
    attr_reader :number

    # Args: its number, and names of variables with the JSON of their values.
    def initialize(number, known = [])
      @number = number
      @known = known.to_h
      @query_count = known.empty? ? nil : Companion.evaluator.query_count
    end

    TOP = new(0)
    # Functions whose calls by `function_name` are deprecated.
    DECLARING = %w[include contain require].freeze
    # Variables that Ruby code has set during the current request: [number, name] -> the object, and its JSON then.
    # Code that reads such a variable gets the same object, so that changes in place are seen.
    OBJECTS = {} # rubocop:disable Style/MutableConstant

    # --- variables

    def lookupvar(name, _options = {})
      current_object(name, known(name.to_s) || query('variable', name: name.to_s))
    end
    alias [] lookupvar

    # The value of a variable that is known: without another callback in between, nothing has changed.
    def known(name)
      return unless @known.key?(name) && @query_count == Companion.evaluator.query_count

      found = Values.decode(@known[name])
      found.is_a?(String) ? found.dup : found
    end

    # The object to which Ruby code has set a variable, if the variable still has its value; else the value found.
    def current_object(name, found)
      object, value = OBJECTS[[number, name.to_s]]
      value && value == Values.encode(found) ? object : found
    end

    def setvar(name, value, _options = {})
      encoded = Values.encode(value)
      query('set', name: name.to_s, value: encoded)
      OBJECTS[[number, name.to_s]] = [value, encoded]
      value
    end

    def []=(name, value)
      setvar(name, value)
    end

    def include?(name)
      query('valued', name: name.to_s)
    end

    def exist?(name)
      query('known', name: name.to_s)
    end
    alias bound? exist?

    # Cached, since templates call it for each variable: without another callback in between, nothing has changed.
    def to_hash(*)
      query_count = Companion.evaluator.query_count
      @all = [query_count, query('all')] unless @all && @all.first == query_count
      @all.last.dup
    end

    def forget_variables
      @all = nil
    end

    # --- functions

    def call_function(name, arguments, &block)
      call_named(name, [*arguments], &block)
    end

    def call_named(name, arguments, caller: nil, &block)
      query('call', block: block, name: name.to_s, arguments: Values.encode(arguments), caller: caller)
    end

    # A function of the older interface, by its name.
    def legacy(name, arguments)
      info = Puppet::Parser::Functions.infos.fetch(name.to_sym)
      arity = info[:arity]
      least = arity.negative? ? -arity - 1 : arity
      if arity.negative? ? arguments.size < least : arguments.size != arity
        wanted = arity.negative? ? "minimum #{least}" : arity
        raise ArgumentError, "#{name}(): Wrong number of arguments given (#{arguments.size} for #{wanted})"
      end

      found = send("real_function_#{name}", arguments)
      info[:type] == :rvalue ? found : nil
    end

    def respond_to_missing?(name, _private = false)
      name.start_with?('function_') && query('function', name: name.to_s.delete_prefix('function_')) == 'older'
    end

    def method_missing(name, *arguments, &block)
      return super unless name.start_with?('function_')

      list = arguments.first
      raise ArgumentError, "#{name} takes one Array of arguments" unless arguments.size == 1 && list.is_a?(Array)

      plain = name.to_s.delete_prefix('function_')
      case query('function', name: plain)
      when 'older' then legacy(plain, list)
      when 'newer' then raise Puppet::ParseError, "#{plain}() can only be called using the 4.x function API. See Scope#call_function"
      else call_released(plain, list, &block)
      end
    end

    def call_released(name, arguments, &block)
      found = call_named(name, arguments, &block)
      if DECLARING.include?(name)
        warning = "Calling function_#{name} via the Scope class is deprecated. Use Scope#call_function instead"
        Puppet.warn_once('deprecations', "Scope#function_#{name}", warning)
      end
      found
    end

    %i[debug info notice warning err alert crit emerg].each do |level|
      define_method(level) { |message| Companion.evaluator.log(level, message) }
    end

    # --- the catalog

    def classes
      query('classes')
    end

    def resource
      found = query('resource')
      found && Found.new(self, *found)
    end

    # The class, definition or node whose body runs.
    def source
      type, title = query('resource')
      case type
      when 'Class' then Definition.new(:hostclass, title == 'main' ? '' : title.downcase)
      when 'Node' then Definition.new(:node, title)
      else Definition.new(:definition, type.downcase)
      end
    end

    def findresource(type, title = nil)
      type, title = Puppet::Resource.type_and_title(type, nil) unless title
      query('declared', type: type.to_s, title: title.to_s) ? Found.new(self, type, title) : nil
    end

    def find_hostclass(name)
      query('defined', kind: 'class', name: name.to_s) ? Definition.new(:hostclass, name) : nil
    end

    def find_definition(name)
      query('defined', kind: 'define', name: name.to_s) ? Definition.new(:definition, name) : nil
    end

    def find_builtin_resource_type(name)
      query('defined', kind: 'type', name: name.to_s) ? Definition.new(:builtin, name) : nil
    end

    def find_resource_type(name)
      find_definition(name) || find_builtin_resource_type(name)
    end

    def lookupdefaults(type)
      query('defaults', type: type.is_a?(String) ? type : '').to_h { |name, value| [name.to_sym, Default.new(name.to_sym, value)] }
    end

    def compiler
      Compiler.new(self)
    end

    def catalog
      Catalog.new(self)
    end

    def environment
      Environment.current
    end

    def find_global_scope
      TOP
    end

    def class_scope(_definition)
      self
    end

    def is_topscope? # rubocop:disable Naming/PredicateName
      number.zero?
    end

    def to_s
      "Scope(#{resource || 'Class[main]'})"
    end
    alias inspect to_s

    private

    def query(what, **details)
      Companion.evaluator.query(what, scope: number, **details)
    end
  end
end
