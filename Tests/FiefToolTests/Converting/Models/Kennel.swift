// swift-format-ignore-file
import Foundation
import FiefRealm

// MARK: - Kennels

/// A dog, with its "toys" {and a brace}.
public final class KennelDog: Object {
  /* The key /* of the dog */ is a text. */
  @Persisted(primaryKey: true) public var id: String = UUID().uuidString // never "changed"
  @Persisted(indexed: true) var name = ""
  @Persisted(indexed: true) var `default` = false
  @Persisted private var secret: String?
  @Persisted private(set) public var weight: Double = 0
  @Persisted   var   age :Int=0
  @Persisted(indexed: true)
  var born: Date? = nil
  @Persisted var photo: Data?
  @Persisted var small: Int8 = 1
  @Persisted var medium: Int16 = -2
  @Persisted public var large: Int64 = 9_007_199_254_740_993
  @Persisted var text = "a { brace, a ) bracket and \"quotes\" \( [1, 2].map { "\($0)" }.joined() )"
  @Persisted var raw = #"no \(interpolation) " here"#
  @Persisted var long = """
    Several lines, with @objc dynamic var fake = 0
    and "quotes" }
    """
  @Persisted var ratio: Float = 1.5e-3
  @Persisted var score: Double =
    1.0 / 3.0
    + 2.0
  @Persisted var seconds = [60, 60, 24].reduce(1) { $0 * $1 }
  @Persisted var barks = 0 {
    didSet { if barks < 0 { barks = 0 } }
  }
  @Persisted var owner: KennelPerson?
  @Persisted var home: KennelAddress?
  @Persisted var oldest: KennelDog?

  @Persisted var toys: List<KennelToy>
  @Persisted public var numbers: List<Int>
  @Persisted var names: List<String>
  @Persisted private var dates: List<Date> // of walks
  @Persisted var nicknames: List<String?>
  @Persisted var visited: MutableSet<String>
  @Persisted var prices: Map<String, Double>
  @Persisted var scores: Map<String, Int?>
  @Persisted var legs: Int?
  @Persisted var tail: Double? = 12.5
  @Persisted var teeth: Int?
  @Persisted var chipped: Bool?
  @Persisted var anything: AnyRealmValue
  @Persisted(originProperty: "members") var clubs: LinkingObjects<KennelClub>
  @Persisted(originProperty: "dogs") var walkers: LinkingObjects<KennelPerson>

  var transient = 0
  var cached = ""
  let constant = "no property"
  static let shared = "@objc dynamic"
  var title: String { return name + " the dog" }
  var isPuppy: Bool {
    get { age < 1 }
    set { age = newValue ? 0 : 1 }
  }
  lazy var formatter = DateFormatter()

  // The key.

  // What is not stored.
  // for a while

  func bark() -> String {
    let local = "func { @objc dynamic var fake = 0 }"
    class Inner { var x = 0 }
    return local
  }
}

class KennelPerson: FiefRealm.Object, Identifiable {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var first = ""
  @Persisted var last = ""
  @Persisted var dogs: List<KennelDog>
}

class KennelClub: Object {
  @Persisted(primaryKey: true) var name: String = ""

  @Persisted var founded = Date(timeIntervalSince1970: 0)

  @Persisted var members: List<KennelDog>

  @Persisted var chair: KennelPerson? = nil
}

final class KennelToy: Object { @Persisted var kind = "ball"; @Persisted var squeaks = true }

final class KennelAddress: EmbeddedObject {
  @Persisted var street: String? = nil
  @Persisted var number: Int32 = 0
  @Persisted(originProperty: "home") var dogs: LinkingObjects<KennelDog>
}
