# frozen_string_literal: true

# What the released Puppet logs is kept in LOGS instead of being shown.

LOGS = []
Puppet::Util::Log.newdesttype(:kept) do
  match 'Kept'
  def initialize(_name); end

  def handle(entry)
    LOGS << entry
  end
end
class Kept; end
Puppet::Util::Log.close_all
Puppet::Util::Log.newdestination(Kept.new)
