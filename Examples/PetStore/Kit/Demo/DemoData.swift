import Foundation

/// Invented customers, the same in every run.
struct DemoData {
  private var random: SeededGenerator

  /// Starts a sequence of customers.
  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A person who signs up, brings dogs and buys for them.
  struct Customer: Sendable {
    var name: String
    var email: String
    var device: String
    var dogs: [PetRepository.Adoption]
    var currency: String
    var quantities: [String: Int]
    var address: (street: String, postcode: String, city: String, country: String)
  }

  /// The next customer.
  mutating func customer(number: Int) -> Customer {
    let given = pick(Self.givenNames)
    let family = pick(Self.familyNames)
    let place = pick(Self.places)
    return Customer(
      name: "\(given) \(family)",
      email: "\(given.lowercased()).\(number)@example.org",
      device: pick(Self.devices),
      dogs: (0..<Int.random(in: 1...3, using: &random)).map { _ in dog() },
      currency: place.currency,
      quantities: basket(in: place.currency),
      address: (
        "\(Int.random(in: 1...199, using: &random)) \(pick(Self.streets))", place.postcode, place.city,
        place.country
      )
    )
  }

  /// The products of the shop as a server would send them: each in every currency.
  static func productsJSON() -> Data {
    var entries: [String] = []
    for currency in currencies {
      for product in products {
        let price = "\(product.cents * currency.factor)"
        let amount = currency.digits == 0 ? price : "\(price.dropLast(2)).\(price.suffix(2))"
        entries.append(
          """
          {"sku": "\(currency.code)-\(product.sku)", "name": "\(product.name)", "price": \(amount), \
          "currency": "\(currency.code)", "stock": 100000, "grams": \(product.grams), "labels": ["dogs", "\(product.label)"]}
          """
        )
      }
    }
    return Data("[\(entries.joined(separator: ",\n"))]".utf8)
  }

  private mutating func dog() -> PetRepository.Adoption {
    PetRepository.Adoption(
      name: pick(Self.dogNames),
      breed: pick(Self.breeds),
      age: Int.random(in: 0...14, using: &random),
      toys: (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(DogToy.Kind.allCases) },
      clubs: Bool.random(using: &random) ? [pick(Self.clubs)] : []
    )
  }

  private mutating func basket(in currency: String) -> [String: Int] {
    var basket: [String: Int] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      basket["\(currency)-\(pick(Self.products).sku)"] = Int.random(in: 1...5, using: &random)
    }
    return basket
  }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private static let givenNames = [
    "Ada", "Björn", "Chloé", "Dmitri", "Emi", "Fatima", "Grace", "Håkon", "Inês", "Jun", "Kwame", "Lulu",
  ]
  private static let familyNames = [
    "Ångström", "Baker", "Costa", "Dubois", "Eze", "Fischer", "García", "Hopper", "Ito", "Jansen", "Kim",
  ]
  private static let dogNames = [
    "Rex", "Bella", "Balto", "Laika", "Argos", "Hachi", "Nana", "Pluto", "Milou", "Idefix", "Toto", "Zoë",
  ]
  private static let breeds = ["Akita", "Beagle", "Collie", "Dachshund", "Husky", "Kelpie", "Poodle", "Pug"]
  private static let clubs = ["Agility", "Long walks", "Puppies", "Swimming"]
  private static let devices = ["laptop", "phone", "tablet", "kiosk"]
  private static let streets = ["Main Street", "Rue du Chien", "Hundegasse", "Park Lane", "Canal Walk"]
  private static let places: [(city: String, postcode: String, country: String, currency: String)] = [
    ("Lyon", "69002", "FRA", "EUR"), ("Kyoto", "600-8216", "JPN", "JPY"), ("Zürich", "8001", "CHE", "CHF"),
    ("Leeds", "LS1 4AP", "GBR", "GBP"), ("Austin", "78701", "USA", "USD"),
    ("Porto", "4000-322", "PRT", "EUR"),
  ]
  private static let currencies: [(code: String, factor: Int, digits: Int)] = [
    ("CHF", 1, 2), ("EUR", 1, 2), ("GBP", 1, 2), ("JPY", 2, 0), ("USD", 1, 2),
  ]
  private static let products: [(sku: String, name: String, label: String, cents: Int, grams: Int)] = [
    ("BALL", "Tennis ball", "toys", 349, 58), ("BED", "Orthopaedic bed", "home", 8990, 4200),
    ("BOWL", "Steel bowl", "home", 1250, 640), ("COAT", "Raincoat", "walks", 3999, 380),
    ("KIBBLE", "Dry food, 12 kg", "food", 5475, 12_000), ("LEAD", "Lead, 2 m", "walks", 1899, 210),
    ("ROPE", "Chewing rope", "toys", 699, 160), ("TREATS", "Dental treats", "food", 525, 350),
  ]
}
