// The names are Realm's own, and its documentation describes them. Tests alone use this stand-in.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// A stand-in for the module Realm, as far as the exporter of *Coming from Realm* uses it.

/// A value of a property of any type in its Objective-C form.
public protocol RLMValue {}

extension NSNumber: RLMValue {}
extension NSString: RLMValue {}
extension NSDate: RLMValue {}
extension NSData: RLMValue {}
extension NSUUID: RLMValue {}

/// The superclass of `Object` and `EmbeddedObject`.
open class RLMObjectBase {
  public init() {}
}

/// The list in a property of any type that is read by its name.
public final class RLMArray: RLMValue {
  public let elements: [RLMValue?]

  public init(_ elements: [RLMValue?]) { self.elements = elements }
}

/// The dictionary in a property of any type that is read by its name.
public final class RLMDictionary: RLMValue {
  public let values: [String: RLMValue?]

  public init(_ values: [String: RLMValue?]) { self.values = values }
}
