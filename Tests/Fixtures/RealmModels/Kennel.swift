// swift-format-ignore-file
import Foundation
import RealmSwift

// MARK: - Kennels

/// A dog, with its "toys" {and a brace}.
@objc(KennelDog)
@objcMembers
public final class KennelDog: Object {
  /* The key /* of the dog */ is a text. */
  @objc public dynamic var id: String = UUID().uuidString // never "changed"
  @objc dynamic var name = ""
  @objc dynamic var `default` = false
  @objc dynamic private var secret: String?
  @objc private(set) dynamic public var weight: Double = 0
  @objc   dynamic   var   age :Int=0
  @objc
  dynamic var born: Date? = nil
  @objc dynamic
  var photo: Data?
  dynamic var small: Int8 = 1
  dynamic var medium: Int16 = -2
  public dynamic var large: Int64 = 9_007_199_254_740_993
  @objc dynamic var text = "a { brace, a ) bracket and \"quotes\" \( [1, 2].map { "\($0)" }.joined() )"
  @objc dynamic var raw = #"no \(interpolation) " here"#
  @objc dynamic var long = """
    Several lines, with @objc dynamic var fake = 0
    and "quotes" }
    """
  @objc dynamic var ratio: Float = 1.5e-3
  @objc dynamic var score: Double =
    1.0 / 3.0
    + 2.0
  @objc dynamic var seconds = [60, 60, 24].reduce(1) { $0 * $1 }
  @objc dynamic var barks = 0 {
    didSet { if barks < 0 { barks = 0 } }
  }
  @objc dynamic var owner: KennelPerson?
  @objc dynamic var home: KennelAddress?
  @objc dynamic var oldest: KennelDog!

  let toys = List<KennelToy>()
  public let numbers: List<Int> = List<Int>()
  let names: List<String> = List()
  private let dates = List<Date>() // of walks
  let nicknames = RealmSwift.List<String?>()
  let visited = MutableSet<String>()
  let prices = Map<String, Double>()
  let scores: Map<String, Int?> = .init()
  let legs = RealmOptional<Int>()
  let tail = RealmOptional<Double>(12.5)
  let teeth = RealmOptional<Int>(value: nil)
  let chipped = RealmProperty<Bool?>()
  let anything = RealmProperty<AnyRealmValue>()
  let clubs = LinkingObjects(fromType: KennelClub.self, property: "members")
  let walkers: LinkingObjects<KennelPerson> = LinkingObjects(fromType: KennelPerson.self, property: #keyPath(KennelPerson.dogs))

  var transient = 0
  @objc dynamic var cached = ""
  let constant = "no property"
  static let shared = "@objc dynamic"
  @objc dynamic var title: String { return name + " the dog" }
  dynamic var isPuppy: Bool {
    get { age < 1 }
    set { age = newValue ? 0 : 1 }
  }
  lazy var formatter = DateFormatter()

  /// The key.
  public override static func primaryKey() -> String? {
    return "id"
  }

  override class func indexedProperties() -> [String] { return ["name", #keyPath(KennelDog.born), "default"] }

  // What is not stored.
  override public class func ignoredProperties() -> [String] {
    [
      "transient",
      "cached", // for a while
    ]
  }

  func bark() -> String {
    let local = "func { @objc dynamic var fake = 0 }"
    class Inner { var x = 0 }
    return local
  }
}

class KennelPerson: RealmSwift.Object, Identifiable {
  @objc dynamic var number = 0
  @objc dynamic var first = ""
  @objc dynamic var last = ""
  let dogs = List<KennelDog>()
  override class func primaryKey() -> String? { "number" }
}

class KennelClub: Object {
  @objc dynamic var name: String = ""

  @objc dynamic var founded = Date(timeIntervalSince1970: 0)

  let members = List<KennelDog>()

  @objc dynamic var chair: KennelPerson? = nil

  override static func primaryKey() -> String? {
    return #keyPath(name)
  }
}

final class KennelToy: Object { @objc dynamic var kind = "ball"; @objc dynamic var squeaks = true }

final class KennelAddress: EmbeddedObject {
  @objc dynamic var street: String? = nil
  @objc dynamic var number: Int32 = 0
  let dogs = LinkingObjects(fromType: KennelDog.self, property: "home")
}
