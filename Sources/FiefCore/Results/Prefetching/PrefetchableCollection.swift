/// Collections whose objects are resolved at once, whatever their elements.
protocol PrefetchableCollection {
  /// Adds the objects that are in it; one that is read when it is needed is read now.
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
