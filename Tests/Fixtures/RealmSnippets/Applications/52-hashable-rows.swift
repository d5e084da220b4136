import FiefRealm
import Foundation

class Stamp: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var country = ""
}

enum Row: Hashable {
  case header(String)
  case stamp(Stamp)
}

func rows(_ stamps: Results<Stamp>) -> [Row] {
  var seen = Set<Stamp>()
  var rows: [Row] = [.header("Stamps")]
  for stamp in stamps where seen.insert(stamp).inserted {
    rows.append(.stamp(stamp))
  }
  return rows
}
