extension StoreCore {
  var queryNames: QueryNames { .columns }
}
