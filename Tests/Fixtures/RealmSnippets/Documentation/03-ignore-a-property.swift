import FiefRealm
import Foundation

class Invoice: Object {
  @Persisted var netCents = 0
  @Persisted var taxCents = 0
  // Neither of these is stored.
  var isSelected = false
  var grossCents: Int {
    netCents + taxCents
  }
  lazy var formatter = NumberFormatter()
}
