# frozen_string_literal: true

module Companion
  # A default of a parameter.
  Default = Struct.new(:name, :value)

  # A class, a definition or a resource type.
  Definition = Struct.new(:type, :name) do
    def definition?
      type == :definition
    end

    def to_s
      name
    end
  end

  # A resource of the catalog.
  class Found
    attr_reader :title, :type

    def initialize(scope, type, title)
      @scope = scope
      @type = capitalize(type)
      @key = title
      @title = @type == 'Class' ? class_title(title) : title
    end

    def [](name)
      return title if name.to_s == 'title'

      Companion.evaluator.query('attribute', scope: @scope.number, type: type, title: @key, name: name.to_s)
    end

    def []=(name, value)
      details = { type: type, title: @key, name: name.to_s, value: Values.encode(value) }
      Companion.evaluator.query('override', scope: @scope.number, **details)
    end
    alias set_parameter []=

    def to_hash
      Companion.evaluator.query('attributes', scope: @scope.number, type: type, title: @key).transform_keys(&:to_sym)
    end
    alias parameters to_hash

    def key?(name)
      to_hash.key?(name.to_sym)
    end

    def tags
      Companion.evaluator.query('tags', scope: @scope.number)
    end

    def ref
      "#{type}[#{title}]"
    end
    alias to_s ref

    def tagged?(*names)
      names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
    end

    private

    def capitalize(name)
      name.to_s.delete_prefix('::').split('::').map(&:capitalize).join('::')
    end

    # The title of a class; the one of the program itself has no name.
    def class_title(name)
      ['', 'main'].include?(name.to_s) ? 'main' : capitalize(name)
    end
  end

  # The catalog of a scope.
  class Catalog
    def initialize(scope)
      @scope = scope
    end

    def resources
      references.map { |type, title| Found.new(@scope, type, title) }
    end

    def resource(type, title = nil)
      @scope.findresource(type, title)
    end

    def resource_keys
      references
    end

    def resource_refs
      resources.map(&:ref)
    end

    def classes
      @scope.classes
    end

    def environment
      environment_instance.to_s
    end

    def environment_instance
      Environment.current
    end

    def tags
      Companion.evaluator.query('all_tags', scope: @scope.number)
    end

    def add_resource(*resources)
      resources.each { |resource| Compiler.new(@scope).add_resource(@scope, resource) }
    end

    private

    def references
      Companion.evaluator.query('resources', scope: @scope.number)
    end
  end

  # The environment.
  class Environment
    attr_reader :modulepath, :name

    def self.current
      new(*Companion.evaluator.query('environment', scope: 0))
    end

    def initialize(name, modulepath)
      @name = name.to_sym
      @modulepath = modulepath
    end

    def module(name)
      path = modulepath.map { |folder| File.join(folder, name.to_s) }.find { |folder| File.directory?(folder) }
      path && Module.new(name.to_s, path)
    end

    def modules
      modulepath.flat_map { |folder| Dir[File.join(folder, '*')] }.map { |path| Module.new(File.basename(path), path) }
    end

    def full_modulepath
      modulepath
    end

    def to_s
      name.to_s
    end

    # A module of the module path.
    Module = Struct.new(:name, :path) do
      def templates
        File.join(path, 'templates')
      end

      def template(file)
        found = File.join(templates, file)
        File.exist?(found) ? found : nil
      end
    end
  end

  # The node.
  class Node
    def name
      Scope::TOP['trusted']&.fetch('certname', nil) || Companion.evaluator.query('node', scope: 0)
    end

    def facts
      self
    end

    def values
      Scope::TOP['facts'] || {}
    end

    def parameters
      Scope::TOP.to_hash
    end

    def environment
      Environment.current
    end
  end

  # The compiler of the catalog.
  class Compiler
    def initialize(scope)
      @scope = scope
    end

    def catalog
      Catalog.new(@scope)
    end

    def topscope
      Scope::TOP
    end

    def node
      Node.new
    end

    def environment
      Environment.current
    end

    def resources
      catalog.resources
    end

    def findresource(*reference)
      @scope.findresource(*reference)
    end

    def add_resource(_scope, resource)
      attributes = resource.to_hash.transform_keys(&:to_s)
      details = { type: resource.type.to_s, title: resource.title.to_s, attributes: Values.encode(attributes) }
      virtual = resource.respond_to?(:virtual) && resource.virtual
      Companion.evaluator.query('declare', scope: @scope.number, virtual: virtual ? true : false, **details)
    end

    def add_override(resource)
      found = Found.new(@scope, resource.type, resource.title)
      resource.to_hash.each { |name, value| found[name] = value }
    end

    def evaluate_classes(names, scope, *_options)
      names = names.keys if names.is_a?(Hash)
      scope.call_named('include', [names])
    end

    def add_class(name)
      @scope.call_named('include', [name])
    end
  end
end

module Puppet
  module Pops
    # The call stack.
    module PuppetStack
      def self.stacktrace
        Companion.evaluator.query('stack', scope: 0)
      end
    end

    module Evaluator
      # Finds classes and types by name.
      module Runtime3ResourceSupport
        def self.find_resource_type(scope, name)
          scope.find_resource_type(name)
        end

        def self.find_resource_type_or_class(scope, name)
          scope.find_resource_type(name) || scope.find_hostclass(name)
        end
      end
    end
  end

  module Parser
    # A resource before its declaration.
    class Resource < Puppet::Resource
      attr_accessor :exported, :scope, :source, :virtual

      # A parameter of one.
      class Param
        attr_accessor :add, :name, :source, :value

        def initialize(name: nil, value: nil, source: nil, add: nil, **)
          @name = name
          @value = value
          @source = source
          @add = add
        end
      end

      def self.new(type, title, attributes = {})
        allocate.tap { |made| made.send(:prepare, type, title, attributes) }
      end

      def type
        @own_type
      end

      def title
        @own_title
      end

      def set_parameter(name, value = nil)
        name, value = name.name, name.value if name.is_a?(Param)
        @own_parameters[name.to_sym] = value
      end
      alias []= set_parameter

      def [](name)
        name.to_s == 'title' ? title : @own_parameters[name.to_sym]
      end

      def to_hash
        @own_parameters
      end

      def ref
        "#{type}[#{title}]"
      end
      alias to_s ref

      private

      def prepare(type, title, attributes)
        @own_type = type.to_s.split('::').map(&:capitalize).join('::')
        @own_title = title
        @own_parameters = {}
        @scope, @source, @virtual, @exported = attributes.values_at(:scope, :source, :virtual, :exported)
        (attributes[:parameters] || {}).each { |name, value| set_parameter(*(value.is_a?(Param) ? [value] : [name, value])) }
      end
    end

    remove_const(:Files) if const_defined?(:Files, false)

    # The files of modules.
    module Files
      module_function

      def find_template(name, _environment = nil)
        Companion.evaluator.query('file', scope: 0, name: name.to_s, folder: 'templates')
      end

      def find_file(name, _environment = nil)
        Companion.evaluator.query('file', scope: 0, name: name.to_s, folder: 'files')
      end
    end
  end

  remove_const(:Module) if const_defined?(:Module, false)

  # Modules of the module path.
  module Module
    module_function

    def find(name, _environment = nil)
      Companion::Environment.current.module(name)
    end
  end
end
