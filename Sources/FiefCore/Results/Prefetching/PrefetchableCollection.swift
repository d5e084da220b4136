/// A collection whose objects can be read together, whatever their type.
protocol PrefetchableCollection {
  /// Appends the objects of the collection, after reading its unread objects.
  func appendObjects(to objects: inout [ObjectBase])
}

extension List: PrefetchableCollection {
  func appendObjects(to objects: inout [ObjectBase]) {
    for element in self { if let object = element as? ObjectBase { objects.append(object) } }
  }
}

extension MutableSet: PrefetchableCollection {
  func appendObjects(to objects: inout [ObjectBase]) {
    for element in self { if let object = element as? ObjectBase { objects.append(object) } }
  }
}

extension Map: PrefetchableCollection {
  func appendObjects(to objects: inout [ObjectBase]) {
    for value in values { if let object = value as? ObjectBase { objects.append(object) } }
  }
}
