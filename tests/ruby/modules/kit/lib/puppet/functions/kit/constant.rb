# frozen_string_literal: true

Puppet::Functions.create_function(:'kit::constant') do
  KIT_LIMIT = 5

  def constant
    KIT_LIMIT
  end
end
