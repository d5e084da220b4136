extension ChangeSet.TypeChanges {
  var modifiedColumns: [ObjectKey: ColumnSet] {
    Dictionary(uniqueKeysWithValues: modified.map { ($0, ColumnSet.all) })
  }

  func restricted(to keys: some Sequence<ObjectKey>) -> ChangeSet.TypeChanges {
    var part = ChangeSet.TypeChanges()
    for key in keys {
      if inserted.contains(key) { part.inserted.insert(key) }
      if deleted.contains(key) { part.deleted.insert(key) }
      if modified.contains(key) { part.modified.insert(key) }
    }
    return part
  }
}
