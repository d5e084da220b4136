import Fief
import Foundation
import PetStoreMigrations

/// Orders with everything and with nothing, exact prices large and small, carts that name products which are
/// gone.
enum PaymentsSample1 {
  private typealias Version = PaymentsVersion1

  static func fill(_ tx: WriteTransaction) throws {
    let euro = currency("EUR", "978", "Euro", 2), yen = currency("JPY", "392", "Yen", 0)
    let lek = currency("ALL", "008", "Lek", 2), none = currency("XTS", "", "for tests", -1)
    for currency in [euro, yen, lek, none] { try tx.add(currency, update: .error) }

    let france = country("FR", "FRA", "France", "🇫🇷"), japan = country("JP", "JPN", "日本", "🇯🇵")
    let coast = country("CI", "CIV", "Côte d'Ivoire", "🇨🇮")
    for country in [france, japan, coast] { try tx.add(country, update: .error) }

    let ball = try product("EUR-BALL", "Tennis ball", "3.49", euro, 96, ["dogs", "toys"])
    let rope = try product("EUR-ROPE", "Chewing rope", "6.99", euro, 0, ["dogs"])
    let bed = try product("JPY-BED", "Orthopædic bed", "17980", yen, -2, [])
    let gold = try product(
      "ALL-GOLD",
      Sample.longName,
      "12345678901234567890123456789012345.678",
      lek,
      .max,
      ["größer"]
    )
    let dust = try product("DUST", "", "0.0000000001", nil, 0, [""])
    for product in [ball, rope, bed, gold, dust] { try tx.add(product, update: .error) }

    for (user, products) in [(UInt8(1), [ball, bed]), (2, []), (4, [ball, ball])] {
      let list = Version.WishList()
      list.userID = Sample.uuid(user)
      for product in products { list.products.append(product) }
      try tx.add(list, update: .error)
    }
    for (user, quantities) in [(UInt8(1), ["EUR-BALL": 2, "JPY-BED": 1]), (3, ["GONE": 3]), (4, [:])] {
      let cart = Version.Cart()
      cart.userID = Sample.uuid(user)
      for (sku, quantity) in quantities { cart.quantities[sku] = quantity }
      try tx.add(cart, update: .error)
    }
    for order in try orders(ball, rope, bed, euro, yen, france, japan) { try tx.add(order, update: .error) }
  }

  private static func orders(
    _ ball: Version.Product,
    _ rope: Version.Product,
    _ bed: Version.Product,
    _ euro: Version.Currency,
    _ yen: Version.Currency,
    _ france: Version.Country,
    _ japan: Version.Country
  ) throws -> [Version.Order] {
    let whole = try order(1, 1, .paid, euro, "17.46")
    whole.lines.append(try line(ball, 3, "3.49"))
    whole.lines.append(try line(rope, 1, "6.99"))
    whole.delivery = address("1 Rue du Chien", "69002", "Lyon", france)
    let long = try order(2, 2, .placed, yen, "17980")
    long.lines.append(try line(bed, 1, "17980"))
    long.delivery = address(Sample.longText, "600-8216", "京都市", japan)
    let empty = try order(0, 3, .placed, nil, "0")
    let odd = try order(.max, 1, .sent, euro, "-0.01")
    odd.lines.append(try line(nil, 0, "-0.01"))
    odd.delivery = address("", "", "", nil)
    return [whole, long, empty, odd]
  }

  private static func currency(
    _ code: String,
    _ numeric: String,
    _ name: String,
    _ digits: Int
  ) -> Version.Currency {
    let currency = Version.Currency()
    currency.code = code
    currency.numeric = numeric
    currency.name = name
    currency.fractionDigits = digits
    return currency
  }

  private static func country(
    _ code: String,
    _ alpha3: String,
    _ name: String,
    _ flag: String
  ) -> Version.Country {
    let country = Version.Country()
    country.code = code
    country.alpha3 = alpha3
    country.name = name
    country.flag = flag
    return country
  }

  private static func product(
    _ sku: String,
    _ name: String,
    _ price: String,
    _ currency: Version.Currency?,
    _ stock: Int,
    _ labels: [String]
  ) throws -> Version.Product {
    let product = Version.Product()
    product.sku = sku
    product.name = name
    product.price = try Sample.decimal(price)
    product.currency = currency
    product.stock = stock
    for label in labels { product.labels.insert(label) }
    return product
  }

  private static func order(
    _ number: Int,
    _ user: UInt8,
    _ status: Version.Order.Status,
    _ currency: Version.Currency?,
    _ total: String
  ) throws -> Version.Order {
    let order = Version.Order()
    order.number = number
    order.userID = Sample.uuid(user)
    order.placedAt = Sample.date(Double(user) * 1000)
    order.status = status
    order.currency = currency
    order.total = try Sample.decimal(total)
    return order
  }

  private static func line(
    _ product: Version.Product?,
    _ quantity: Int,
    _ price: String
  ) throws -> Version.OrderLine {
    let line = Version.OrderLine()
    line.product = product
    line.quantity = quantity
    line.unitPrice = try Sample.decimal(price)
    return line
  }

  private static func address(
    _ street: String,
    _ postcode: String,
    _ city: String,
    _ country: Version.Country?
  ) -> Version.Address {
    let address = Version.Address()
    address.street = street
    address.postcode = postcode
    address.city = city
    address.country = country
    return address
  }
}
