import Foundation

/// The reason why the shop refuses an order; the store itself is in order.
enum ShopError: Error, Sendable, Equatable {
  /// No product has this key.
  case unknownProduct(String)
  /// No country has these three letters.
  case unknownCountry(String)
  /// The products of one order are sold in different currencies.
  case mixedCurrencies(order: Int)
  /// There is no such dog.
  case unknownDog(UUID)
  /// The dog has an owner already.
  case dogHasHome(UUID)
}
