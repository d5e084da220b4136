// swift-format-ignore-file
import Foundation
@preconcurrency import RealmSwift
import class RealmSwift.List

protocol LedgerNamed: AnyObject { var name: String { get set } }

enum Ledger {
  /// Has the key of all entries.
  class Entry: Object, LedgerNamed
  {
    @objc dynamic var id = ObjectId.generate()
    @objc dynamic var name: String = ""
    @objc dynamic var amount: Decimal128 = 0
    @objc dynamic var uuid = UUID()
    @objc dynamic var lines = 0 /* counted */
    #if DEBUG
      @objc dynamic var debug: String? = nil
    #else
      @objc dynamic var debug: String? = ""
    #endif
    #if os(iOS) || os(macOS) // of the phone
      @objc dynamic var platform = "apple"
    #elseif os(Linux)
      @objc dynamic var platform = "linux"
    #endif
    let tags = MutableSet<String>()

    convenience init(name: String) {
      self.init()
      self.name = name
    }

    override class func indexedProperties() -> [String] {
      return [
        "name",
        "uuid",
      ]
    }
    override class func primaryKey() -> String? { "id" }
  }

  // A subclass.
  final class Invoice: Entry {
    @objc dynamic var due: Date?
    @objc dynamic var isPaid = false
    let items = List<Item>()
  }

  final class Item: EmbeddedObject {
    @objc dynamic var title = ""
    @objc dynamic var price = 0.0
    @objc dynamic var count = 1
    let notes = List<String>()
    let discount = RealmOptional<Float>()
  }

  final class Account: Object {
    @objc dynamic var iban = ""
    @objc dynamic var holder: String = { () -> String in "nobody" }()
    @objc dynamic var pattern = "/[a-z]{2}/"
    @objc dynamic var opened: Date = Date(timeIntervalSinceReferenceDate: 0)
    let entries = List<Entry>()
    let regex = /[{]"/
    func matches() -> Bool { iban.firstMatch(of: regex) == nil && iban.count / 2 > 1 / 1 }
  }
}

extension Ledger.Account {
  @objc dynamic var summary: String { "\(holder) \("has {" + iban)" }
  override static func primaryKey() -> String? { return "iban"; }
}

/// A state, in the form that older code has.
@objc public enum LedgerState: Int, RealmEnum { case open, closed }
