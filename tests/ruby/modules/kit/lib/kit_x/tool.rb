module KitX
  module Tool
    def self.shout(text)
      "#{text.upcase}!"
    end
  end
end
