import Foundation

/// A property to sort by, under Realm's name.
///
/// ```swift
/// let sorted = people.sorted(by: [
///   SortDescriptor(keyPath: "city"), SortDescriptor(keyPath: \Person.age, ascending: false),
/// ])
/// ```
/// Foundation has a type with the same name. Swift distinguishes these calls from
/// `SortDescriptor(\Person.age)` by their arguments. As a type, write `PropertyOrder` or
/// `Foundation.SortDescriptor`.
public typealias SortDescriptor = PropertyOrder
