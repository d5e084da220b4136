/// A place in one state of the data.
///
/// Rules read data through this protocol only. The state does not change while rules are evaluated.
package protocol RuleData: AnyObject {
  /// The place above; `nil` for the root.
  var parent: (any RuleData)? { get }

  /// Returns the place of a child, which need not exist.
  ///
  /// - Parameter name: a valid name.
  func child(_ name: String) -> any RuleData

  /// Returns the value of the place: a leaf, ``RuleValue/node``, or ``RuleValue/null`` if nothing is there.
  ///
  /// - Throws: an error of the store. It ends the operation, since it says nothing about the rule.
  func value() throws -> RuleValue
}

/// A place in the state after a write.
package protocol WrittenRuleData: RuleData {
  /// The last name of the place; empty for the root.
  var name: String { get }
  /// The same place before the write.
  var before: any RuleData { get }
  /// The way in which the write concerns the place.
  var change: RuleChange { get }

  /// Passes the children that the write concerns to `body`.
  func forEachChangedChild(_ body: (any WrittenRuleData) throws -> Void) rethrows
}

/// The way in which a write concerns a place.
package enum RuleChange {
  /// The write leaves the place as it is.
  case none
  /// The write sets the value of the place, or of a place above.
  case value
  /// The write removes the place.
  case removal
  /// The write has paths below the place. At least one of them sets a value, or all of them are removals.
  case below(setsValues: Bool)
}
