"""Why a call fits no signature, in the words of the released Puppet."""
