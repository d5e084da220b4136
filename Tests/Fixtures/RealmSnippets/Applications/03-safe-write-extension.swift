import FiefRealm
import Foundation

extension Realm {
  func safeWrite(_ block: () throws -> Void) throws {
    if isInWriteTransaction {
      try block()
    } else {
      try write(block)
    }
  }
}
