Puppet::Functions.create_function(:'kit::logging') do
  def logging(text)
    Puppet.notice("noticed #{text}")
    Puppet.warning("warned #{text}")
    Puppet.info("told #{text}")
    Puppet.debug("hidden #{text}")
    call_function('notice', text)
    nil
  end
end
