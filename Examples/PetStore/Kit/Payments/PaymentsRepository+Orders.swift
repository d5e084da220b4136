import Fief
import Foundation

extension PaymentsRepository {
  /// The products that a person wants to buy.
  struct OrderRequest: Sendable {
    var number: Int
    var userID: UUID
    /// The number of each product, by its key.
    var quantities: [String: Int]
    var street: String
    var postcode: String
    var city: String
    /// The three letters of ISO 3166.
    var countryCode: String
    /// The dogs that come along.
    var dogs: [CrossStoreLink<Dog>] = []
  }

  /// The greatest number of one product in an order.
  static let maximumQuantity = 10_000

  /// Places an order: the order, its lines, its address, the smaller stock, and a point for each product, all of it or
  /// nothing.
  ///
  /// - Returns: the total, in the currency of the products.
  /// - Throws: ``FiefError`` with the code `duplicatePrimaryKey` when there is an order of that number;
  ///   ``ShopError`` when a product or a country is unknown, products have different currencies, or a quantity cannot be.
  @discardableResult
  func place(_ request: OrderRequest, at now: Date = Date()) async throws -> Decimal {
    try await write { tx in try Self.place(request, at: now, in: tx) }
  }

  /// Places an order in a write that does more than that.
  static func place(_ request: OrderRequest, at now: Date, in tx: WriteTransaction) throws -> Decimal {
    guard let country = try tx.object(ofType: Country.self, forPrimaryKey: request.countryCode) else {
      throw ShopError.unknownCountry(request.countryCode)
    }
    let order = Order()
    order.number = request.number
    order.userID = request.userID
    order.placedAt = now
    var points = 0
    for (sku, quantity) in request.quantities.sorted(by: { $0.key < $1.key }) {
      guard (1...maximumQuantity).contains(quantity) else { throw ShopError.invalidNumber(quantity) }
      guard let product = try tx.object(ofType: Product.self, forPrimaryKey: sku) else {
        throw ShopError.unknownProduct(sku)
      }
      if let currency = order.currency, currency.code != product.currency?.code {
        throw ShopError.mixedCurrencies(order: request.number)
      }
      order.currency = product.currency
      let line = OrderLine()
      line.product = product
      line.quantity = quantity
      line.unitPrice = product.price
      order.lines.append(line)
      order.total += product.price * Decimal(quantity)
      product.stock -= quantity
      points += quantity
    }
    let address = Address()
    address.street = request.street
    address.postcode = request.postcode
    address.city = request.city
    address.country = country
    order.delivery = address
    order.dogs.append(objectsIn: request.dogs)
    try tx.add(order, update: .error)
    if points > 0 {
      try earn(points, for: "order \(request.number)", by: request.userID, at: now, in: tx)
    }
    return order.total
  }

  /// Puts a product into a person's basket: as a wish, and to be bought with the next order.
  func wish(for sku: String, quantity: Int, by userID: UUID) async throws {
    try await write { tx in
      guard let product = try tx.object(ofType: Product.self, forPrimaryKey: sku) else {
        throw ShopError.unknownProduct(sku)
      }
      let known = try tx.object(ofType: Basket.self, forPrimaryKey: userID)
      let basket = try known ?? tx.create(Basket.self, value: ["userID": userID])
      basket.wishes.append(product)
      basket.quantities[sku] = quantity
    }
  }

  /// Takes a product of an order back into the stock.
  ///
  /// - Returns: their number; 0 where the order has none that were not sent back before.
  func takeBack(_ sku: String, ofOrder number: Int, at now: Date = Date()) async throws -> Int {
    try await write { tx in
      guard let order = try tx.object(ofType: Order.self, forPrimaryKey: number) else { return 0 }
      var quantity = 0
      for line in order.lines where line.product?.sku == sku && line.returnedAt == nil {
        line.returnedAt = now
        line.product?.stock += line.quantity
        quantity += line.quantity
      }
      return quantity
    }
  }

  /// The totals of all orders in one currency.
  struct Turnover: Sendable {
    var currency: String
    var orders: Int
    var lines: Int
    var total: Decimal
    var fractionDigits: Int
  }

  /// The sales by currency.
  func turnover() throws -> [Turnover] {
    try read { snapshot in
      var sums: [String: Turnover] = [:]
      for order in snapshot.objects(Order.self) {
        guard let currency = order.currency else { continue }
        var sum =
          sums[currency.code]
          ?? Turnover(
            currency: currency.code,
            orders: 0,
            lines: 0,
            total: 0,
            fractionDigits: currency.fractionDigits
          )
        sum.orders += 1
        sum.lines += order.lines.count
        sum.total += order.total
        sums[currency.code] = sum
      }
      return sums.values.sorted { $0.currency < $1.currency }
    }
  }

  /// The number of orders that went to each country, the most first.
  func destinations() throws -> [(flag: String, name: String, orders: Int)] {
    try read { snapshot in
      var counts: [String: (flag: String, orders: Int)] = [:]
      for order in snapshot.objects(Order.self) {
        guard let country = order.delivery?.country else { continue }
        counts[country.name, default: (country.flag, 0)].orders += 1
      }
      return counts.sorted { ($1.value.orders, $0.key) < ($0.value.orders, $1.key) }
        .map { (flag: $0.value.flag, name: $0.key, orders: $0.value.orders) }
    }
  }

  /// The totals of the orders whose numbers are asked for; those that are not there are left out.
  func totals(ofOrders numbers: some Sequence<Int>) throws -> [Int: Decimal] {
    try read { snapshot in
      var found: [Int: Decimal] = [:]
      for number in numbers {
        guard let order = try snapshot.object(ofType: Order.self, forPrimaryKey: number) else { continue }
        let sum = order.lines.reduce(Decimal(0)) { $0 + $1.unitPrice * Decimal($1.quantity) }
        found[number] = sum == order.total ? sum : nil
      }
      return found
    }
  }

  /// The highest number of an order, 0 when there is none.
  func lastOrderNumber() throws -> Int {
    try read { snapshot in
      snapshot.objects(Order.self).sorted(byKeyPath: "number", ascending: false).first?.number ?? 0
    }
  }
}
