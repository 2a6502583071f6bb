class webFarm { notify { "$name $title": } }
class fullSetup inherits webFarm { notify { 'full': } }
define vHost($port) { notify { "${title}:${port}": } }
include fullSetup
vHost { 'shop': port => 8080 }
Vhost['shop'] -> Notify['shop:8080']
class outer { class innerPart { notify { 'inner': } } }
contain outer::innerPart
class mailHub { $relay = 'mx1' }
include mailHub
notify { "$mailHub::relay $::mailHub::relay ${mailhub::relay}": }
