# frozen_string_literal: true

module Companion
  # The `self` of a template.
  class TemplateWrapper
    attr_reader :file, :scope

    def initialize(scope, file, variables)
      @scope = scope
      @file = file
      given = variables.to_h { |name, value| [name, scope.current_object(name, Values.decode(value))] }
      given.each { |name, value| instance_variable_set("@#{name}", value) }
      @_given = given.select { |_, value| value.is_a?(Array) || value.is_a?(Hash) }
                     .map { |name, value| [name, value, Values.encode(value)] }
    end

    def has_variable?(name) # rubocop:disable Naming/PredicateName
      scope.include?(name)
    end

    def classes
      scope.classes
    end

    def tags
      raise NotImplementedError, "Call 'all_tags' instead."
    end

    def all_tags
      scope.catalog.tags
    end

    def to_s
      "template[#{file || 'inline'}]"
    end

    def inspect
      "#<#{self.class}>"
    end

    private

    # Reports arrays and hashes that the template has changed in place, as other code sees the change.
    def report_changes
      @_given.each do |name, value, before|
        now = Values.encode(value)
        Companion.evaluator.query('change', scope: scope.number, name: name, value: now) unless now == before
      end
    end
  end

  # Renders templates.
  module Templates
    METHODS = {} # rubocop:disable Style/MutableConstant

    # Compiles a template to a method, for all programs to come.
    def self.prepare(text, file)
      name = "template_#{METHODS.size}"
      source = ERB.new(text, trim_mode: '-').src.sub("\n", "\ndef #{name}\n") # after the comment that names the encoding
      TemplateWrapper.class_eval("#{source}\nend", file, -1)
      METHODS[[text, file]] = name
    end

    # Removes the methods that templates of a former program have defined.
    def self.forget_methods
      defined = TemplateWrapper.instance_methods(false) - OWN - METHODS.values.map(&:to_sym)
      defined.each { |name| TemplateWrapper.remove_method(name) }
    end

    MOST = 1000 # prepared templates of a process that is reused

    # Prepares a template of a file unless that is done; its syntax error is raised when it is rendered.
    def self.prepare_once(text, file)
      prepare(text, file) unless METHODS.key?([text, file]) || METHODS.size >= MOST
    rescue SyntaxError
      nil
    end

    def self.render(evaluator, request)
      prepare_once(*request.values_at('text', 'file')) if evaluator.reused && request['file']
      scope = Scope.new(request['scope'], request['known'])
      wrapper = TemplateWrapper.new(scope, request['file'], request['variables'])
      Values.text(wrapper.result(request['text']))
    end
  end
end

# Opened outside `module Companion`, so that a template cannot see the constants of these scripts.
class Companion::TemplateWrapper # rubocop:disable Style/ClassAndModuleChildren
  def result(text)
    method = Companion::Templates::METHODS[[text, file]]
    return send(method).tap { report_changes } if method

    erb = ERB.new(text, trim_mode: '-')
    erb.filename = file if file
    erb.result(binding).tap { report_changes }
  end
end

Companion::Templates::OWN = Companion::TemplateWrapper.instance_methods(false).freeze
