import FiefRealm
import Foundation

class Track: Object {
  @objc dynamic var title = ""
  @objc dynamic var seconds = 0
  @objc dynamic var recorded: Date? = nil
  let plays = RealmOptional<Int>()
}
