# frozen_string_literal: true

module Companion
  # What a template is evaluated in.
  class TemplateWrapper
    attr_reader :file, :scope

    def initialize(scope, file, variables)
      @scope = scope
      @file = file
      variables.each { |name, value| instance_variable_set("@#{name}", scope.kept(name, Values.decode(value))) }
    end

    def has_variable?(name) # rubocop:disable Naming/PredicateName
      scope.include?(name)
    end

    def classes
      scope.classes
    end

    def tags
      scope.tags
    end

    def all_tags
      scope.catalog.classes
    end

    def result(text)
      erb = ERB.new(text, trim_mode: '-')
      erb.filename = file if file
      erb.result(binding)
    end

    def to_s
      "template[#{file || 'inline'}]"
    end

    def inspect
      "#<#{self.class}>"
    end
  end

  # Renders templates.
  module Templates
    def self.render(_evaluator, request)
      wrapper = TemplateWrapper.new(Scope.new(request['scope']), request['file'], request['variables'])
      Values.text(wrapper.result(request['text']))
    end
  end
end
