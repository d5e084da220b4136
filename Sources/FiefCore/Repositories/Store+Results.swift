extension Store {
  /// Returns the objects of a type. If they cannot be read, the results are empty and the store reports an
  /// event; ``Results/all()``, ``Results/fetchCount()`` and ``Results/forEachObject(_:)`` throw instead.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    if let openingError { return Results(failure: openingError, context: newest) }
    if let visible, let core = newest.store {
      do { try visible.check(type, in: core) } catch { return Results(failure: error, context: newest) }
    }
    return Results(context: newest.store?.activeWrite?.context ?? newest, of: type)
  }
}

extension AccessScope {
  /// Returns all objects of a type in the state of this scope.
  public final func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    if let visible {
      do { try visible.check(type, in: store) } catch { return Results(failure: error, context: context) }
    }
    return Results(context: context, of: type)
  }
}
