/// Removes and returns elements of a list, as those of an array do.
///
/// A protocol, as ``List`` has methods of the same names that return nothing. The removed element is the one
/// that the list has in the write; the standard library's own would return an element that was there before.
public protocol _ListRemoving: RangeReplaceableCollection, AnyObject where Index == Int {
  /// Removes an element of the list as a write has it.
  func _take(at place: (_ count: Int) -> Int) -> Element
}

extension _ListRemoving {
  /// Removes the first element and returns it. There has to be one.
  @discardableResult
  public func removeFirst() -> Element { _take { _ in 0 } }

  /// Removes the last element and returns it. There has to be one.
  @discardableResult
  public func removeLast() -> Element { _take { $0 - 1 } }

  /// Removes the element at an index, which has to be less than `count`, and returns it.
  @discardableResult
  public func remove(at index: Int) -> Element { _take { _ in index } }
}

extension List: _ListRemoving {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _take(at place: (_ count: Int) -> Int) -> Element {
    willChange()
    let index = place(count)
    let element = self[index]
    // The list of a write that fails may have none.
    if indices.contains(index) { remove(at: index) as Void }
    return element
  }
}
