import Glibc
import LanCLI
import LanCore

exit(Lantool.run())
