import Fief
import Foundation
import PetStoreMigrations

/// Baskets with wishes alone and quantities alone, a country without three letters, weights at their limits.
enum PaymentsSample2 {
  private typealias Version = PaymentsVersion2

  static func fill(_ tx: WriteTransaction) throws {
    let euro = try tx.create(Version.Currency.self, value: ["code": "EUR", "numeric": 978, "name": "Euro"])
    try tx.create(Version.Currency.self, value: ["code": "XTS", "name": "", "fractionDigits": 0])
    let france = try tx.create(
      Version.Country.self,
      value: ["code": "FR", "alpha3": "FRA", "name": "France", "flag": "🇫🇷"]
    )
    let nowhere = try tx.create(Version.Country.self, value: ["code": "ZZ", "name": "Nirgendwö"])
    try tx.create(Version.Country.self, value: ["code": "XX", "name": "Elsewhere"])

    let ball = try product(tx, "EUR-BALL", "3.49", euro, .max, ["dogs", "jouets à mâcher"])
    let bag = try product(tx, "EUR-BAG", "99.999", euro, .min, [])
    try tx.create(
      Version.Basket.self,
      value: ["userID": Sample.uuid(1), "wishes": [ball, bag, ball], "quantities": ["EUR-BALL": 2, "": 0]]
    )
    try tx.create(Version.Basket.self, value: ["userID": Sample.uuid(2), "wishes": [bag]])

    try tx.add(try order(1, euro, [(ball, 3), (bag, 1), (nil, -1), (ball, 3)], france), update: .error)
    try tx.add(try order(2, euro, [(bag, .max)], nowhere), update: .error)
    try tx.add(try order(3, nil, [], nil), update: .error)
  }

  private static func product(
    _ tx: WriteTransaction,
    _ sku: String,
    _ price: String,
    _ currency: Version.Currency,
    _ grams: Int16,
    _ labels: [String]
  ) throws -> Version.Product {
    let product = Version.Product()
    product.sku = sku
    product.name = sku == "EUR-BAG" ? Sample.longName : "Tennis ball"
    product.price = try Sample.decimal(price)
    product.currency = currency
    product.grams = grams
    for label in labels { product.labels.insert(label) }
    try tx.add(product, update: .error)
    return product
  }

  private static func order(
    _ number: Int,
    _ currency: Version.Currency?,
    _ lines: [(product: Version.Product?, quantity: Int)],
    _ country: Version.Country?
  ) throws -> Version.Order {
    let order = Version.Order()
    order.number = number
    order.userID = Sample.uuid(UInt8(number))
    order.placedAt = Sample.date(Double(number))
    order.status = .paid
    order.currency = currency
    order.total = try Sample.decimal("\(number).5")
    for entry in lines {
      let line = Version.OrderLine()
      line.product = entry.product
      line.quantity = entry.quantity
      line.unitPrice = entry.product?.price ?? 0
      order.lines.append(line)
    }
    if let country {
      let address = Version.Address()
      address.street = "1 \(country.name)"
      address.city = Sample.longText
      address.country = country
      order.delivery = address
    }
    return order
  }
}
