/// Array-like methods that remove and return elements of a list.
///
/// This is a protocol because ``List`` has methods with the same names that return nothing. The returned
/// element is the element of the list in the write. The standard library's own methods could return an
/// element that was read before.
public protocol _ListRemoving: RangeReplaceableCollection, AnyObject where Index == Int {
  /// Removes an element and returns it as it is in the write.
  func _take(at place: (_ count: Int) -> Int) -> Element
}

extension _ListRemoving {
  /// Removes and returns the first element. The list must not be empty.
  @discardableResult
  public func removeFirst() -> Element { _take { _ in 0 } }

  /// Removes and returns the last element. The list must not be empty.
  @discardableResult
  public func removeLast() -> Element { _take { $0 - 1 } }

  /// Removes and returns the element at an index, which must be less than `count`.
  @discardableResult
  public func remove(at index: Int) -> Element { _take { _ in index } }
}

extension List: _ListRemoving {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _take(at place: (_ count: Int) -> Int) -> Element {
    willChange()
    let index = place(count)
    let element = self[index]
    // If the write has failed, the list may not contain the element.
    if indices.contains(index) { remove(at: index) as Void }
    return element
  }
}
