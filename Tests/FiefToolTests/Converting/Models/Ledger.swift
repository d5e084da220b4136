// swift-format-ignore-file
import Foundation
@preconcurrency import FiefRealm
import FiefRealm

protocol LedgerNamed: AnyObject { var name: String { get set } }

enum Ledger {
  /// Has the key of all entries.
  class Entry: Object, LedgerNamed
  {
    @Persisted(primaryKey: true) var id = ObjectId.generate()
    @Persisted(indexed: true) var name: String = ""
    @Persisted var amount: Decimal128 = 0
    @Persisted(indexed: true) var uuid = UUID()
    @Persisted var lines = 0 /* counted */
    #if DEBUG
      @Persisted var debug: String? = nil
    #else
      @Persisted var debug: String? = ""
    #endif
    #if os(iOS) || os(macOS) // of the phone
      @Persisted var platform = "apple"
    #elseif os(Linux)
      @Persisted var platform = "linux"
    #endif
    @Persisted var tags: MutableSet<String>

    convenience init(name: String) {
      self.init()
      self.name = name
    }
  }

  // A subclass.
  final class Invoice: Entry {
    @Persisted var due: Date?
    @Persisted var isPaid = false
    @Persisted var items: List<Item>
  }

  final class Item: EmbeddedObject {
    @Persisted var title = ""
    @Persisted var price = 0.0
    @Persisted var count = 1
    @Persisted var notes: List<String>
    @Persisted var discount: Float?
  }

  final class Account: Object {
    @Persisted(primaryKey: true) var iban = ""
    @Persisted var holder: String = { () -> String in "nobody" }()
    @Persisted var pattern = "/[a-z]{2}/"
    @Persisted var opened: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var entries: List<Entry>
    let regex = /[{]"/
    func matches() -> Bool { iban.firstMatch(of: regex) == nil && iban.count / 2 > 1 / 1 }
  }
}

extension Ledger.Account {
  var summary: String { "\(holder) \("has {" + iban)" }
}

/// A state, in the form that older code has.
public enum LedgerState: Int, RealmEnum { case open, closed }
