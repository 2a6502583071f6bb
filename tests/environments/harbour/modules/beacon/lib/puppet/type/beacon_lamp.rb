# frozen_string_literal: true

Puppet::Type.newtype(:beacon_lamp) do
  @doc = 'A lamp of a beacon.'

  ensurable do
    newvalue(:on) {}
    newvalue(:off) {}
    newvalue(:present) {}
  end

  def self.title_patterns
    [[%r{\A([^/]+)/(.+)\z}, [[:mast], [:name]]], [/(.*)/m, [[:name]]]]
  end

  newparam(:name, namevar: true)
  newparam(:mast, namevar: true)
  newproperty(:power) { munge(&:to_i) }
  newproperty(:colour) do
    newvalues(:red, :green, :blue)
    defaultto :red
  end
  autorequire(:notify) { 'beacon' }
end
