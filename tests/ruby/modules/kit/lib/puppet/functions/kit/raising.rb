# all that can be raised
Puppet::Functions.create_function(:'kit::raising') do
  dispatch :fail do
    param 'String', :kind
  end

  def fail(kind)
    case kind
    when 'argument' then raise ArgumentError, 'a bad argument'
    when 'parse' then raise Puppet::ParseError, 'a parse error'
    when 'puppet' then raise Puppet::Error, 'an error'
    when 'lookup' then raise Puppet::DataBinding::LookupError, 'no data'
    when 'runtime' then raise 'only a text'
    when 'name' then unknown_name
    when 'nil' then nil.upcase
    when 'type' then 1 + 'a'
    when 'zero' then 1 / 0
    when 'key' then {}.fetch(:a)
    when 'dev' then raise Puppet::DevError, 'a defect'
    when 'empty' then raise ''
    when 'lines' then raise "two\nlines"
    end
  end
end
