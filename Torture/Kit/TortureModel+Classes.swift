import Fief
import Foundation

/// The items of both versions, so that a process writes to stores of either with the same code.
package protocol TortureItemClass: Object {
  var id: Int { get set }
  var code: String { get set }
  var text: String { get set }
  var notes: List<String> { get set }
  var bytes: Data { get set }
  /// The rank as an integer.
  var place: Int { get set }
  /// Whether the properties that a version adds have the value that follows from the others.
  var isComplete: Bool { get }
}

/// The owners of both versions.
package protocol TortureOwnerClass: Object {
  associatedtype Item: TortureItemClass
  var id: Int { get set }
  var name: String { get set }
  var items: List<Item> { get set }
}

extension TortureItemOld: TortureItemClass {
  package var place: Int {
    get { rank }
    set { rank = newValue }
  }
  package var isComplete: Bool { true }
}

extension TortureItemNew: TortureItemClass {
  /// The stars follow from the identifier, in the migration too.
  package var place: Int {
    get { Int(rank) }
    set {
      rank = Double(newValue)
      stars = id % 6
    }
  }
  package var isComplete: Bool { stars == id % 6 }
}

extension TortureOwnerOld: TortureOwnerClass {}
extension TortureOwnerNew: TortureOwnerClass {}
