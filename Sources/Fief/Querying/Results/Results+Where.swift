import Foundation
extension Results {
  /// The objects for which a predicate holds.
  public func filter(_ predicate: Predicate<Element>) -> Results {
    failing(FiefError(.invalidQuery, "The predicate cannot be expressed."))
  }
}
