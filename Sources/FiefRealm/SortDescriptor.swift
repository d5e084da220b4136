import Foundation

/// A property to order by, by the name that code written for Realm has.
///
/// ```swift
/// let sorted = people.sorted(by: [SortDescriptor(keyPath: "city"), SortDescriptor(keyPath: \Person.age, ascending: false)])
/// ```
/// Foundation has a type of this name too. Calls such as these and `SortDescriptor(\Person.age)` differ by
/// their arguments; where the name stands as a type, `PropertyOrder` or `Foundation.SortDescriptor` says
/// which one is meant.
public typealias SortDescriptor = PropertyOrder
