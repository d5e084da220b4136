import Foundation

/// The reason why the shop refuses something; the store itself is in order.
enum ShopError: Error, Sendable, Equatable {
  /// No product has this key.
  case unknownProduct(String)
  /// No country has these three letters.
  case unknownCountry(String)
  /// The products of one order are sold in different currencies.
  case mixedCurrencies(order: Int)
  /// A number of products or points that cannot be.
  case invalidNumber(Int)
  /// The customer has fewer points than are to be redeemed.
  case notEnoughPoints(available: Int, needed: Int)
  /// There is no such dog.
  case unknownDog(UUID)
  /// The dog has an owner already.
  case dogHasHome(UUID)
}
