// The rows about trees: each measures, and checks the answers or the store it left behind.
#pragma once
#include "rows.hpp"
#include "tree.hpp"

struct TreeRows {
    const TreeWorkload w; std::string dir;
    std::map<std::string, std::unique_ptr<TreeStore>> stores; std::map<std::string, uint64_t> bytes;
    TreeRows(const std::string& d, int64_t N) : w(N), dir(d) {}
    ~TreeRows() { for (auto& s : stores) s.second->close(); }

    // The loaded store of a kind, which no row changes; it stays open.
    TreeStore& store(const std::string& kind) {
        auto it = stores.find(kind); if (it != stores.end()) return *it->second;
        std::string d = dir + "/" + kind; fresh_dir(d); auto s = make_tree(kind); s->open(d, true);
        // Fifty pages are as much as a commit of a tree may have.
        bool isWide = kind == "wide" || kind == "ranked";
        if (isWide) for (int64_t i = 0; i < w.wide; i += 20000) s->loadWide(i, std::min(w.wide, i + 20000));
        else for (int64_t p = 0; p < w.pages; p += 50) s->loadPages(p, std::min(w.pages, p + 50));
        s->close(); sync_dir(d); bytes[kind] = dir_bytes(d); s->open(d, false);
        if (!isWide) REQUIRE(s->full() == w.full);
        return *(stores[kind] = std::move(s));
    }
    double onCopy(const std::string& kind, size_t changed, const std::function<double(TreeStore&)>& change) {
        store(kind); std::string d = dir + "/tree-copy"; fresh_copy(dir + "/" + kind, d);
        auto s = make_tree(kind); s->open(d, false); REQUIRE(s->full() == w.full); double t = change(*s);
        s->close(); s->open(d, false); REQUIRE(s->full() == w.fullAfter(changed)); s->close(); sh("rm -rf '" + d + "'"); return t;
    }
};

inline void Rows::addTrees() {
    auto trees = std::make_shared<std::unique_ptr<TreeRows>>(); std::string d = dir; int64_t N = w.N;
    auto get = [=]() -> TreeRows& { if (!*trees) trees->reset(new TreeRows(d, N)); return **trees; };
    auto sets = [=](const std::string& kind) { return [=](int times) { auto& t = get(); size_t n = std::min<size_t>(w.commits(1000), t.w.picks.size());
        return repeated(times, (double)n, [&] { return t.onCopy(kind, n, [&](TreeStore& s) { return timed([&] { for (size_t i = 0; i < n; i++) s.setLikes(&t.w.picks[i], 1, (int64_t)i); }); }); }); }; };
    rows["T_set"] = sets("tree"); if (make_tree("json")) rows["T_set_json"] = sets("json");
    rows["T_update"] = [=](int times) { auto& t = get(); return repeated(times, (double)t.w.picks.size(), [&] { return t.onCopy("tree", t.w.picks.size(), [&](TreeStore& s) { return timed([&] { s.setLikes(t.w.picks.data(), t.w.picks.size(), 0); }); }); }); };
    auto reads = [=](int times, double operations, const std::function<bool()>& run) {
        REQUIRE(run()); double s = timed([&] { for (int i = 0; i < times; i++) REQUIRE(run()); }); return Figure{ s / times, operations }; };
    rows["T_get"] = [=](int times) { auto& t = get(); auto& s = t.store("wide"); return reads(times, (double)t.w.wideKeys.size(), [&] { return s.readWide(t.w.wideKeys) == t.w.wideSum; }); };
    rows["T_read"] = [=](int times) {
        auto& t = get(); auto& s = t.store("tree"); std::vector<std::string> p; std::vector<uint64_t> sums; int64_t n = std::min<int64_t>(100, t.w.pages);
        for (int64_t i = 0; i < n; i++) { int64_t k = i * 7 % t.w.pages; p.push_back(TreeWorkload::page(k)); sums.push_back(TreeWorkload::pageDigest(k)); }
        auto f = reads(times, (double)n, [&] { bool ok = true; for (int64_t i = 0; i < n; i++) ok &= s.readPage(p[i]) == sums[i]; return ok; }); return f; };
    if (make_tree("ranked")) rows["T_query"] = [=](int times) { auto& t = get(); auto& s = t.store("ranked"); uint64_t wanted = t.w.lastWide(20); int n = 1000;
        return reads(times, n, [&] { bool ok = true; for (int i = 0; i < n; i++) ok &= s.readLast(20) == wanted; return ok; }); };
    rows["T_keys"] = [=](int times) { auto& t = get(); auto& s = t.store("tree"); return reads(times, 1, [&] { return s.pageNames() == t.w.names; }); };
    rows["T_import"] = [=](int times) {
        auto& t = get(); std::vector<Message> all = t.w.all(); std::string to = t.dir + "/tree-import";
        return repeated(times, 4.0 * (double)all.size(), [&] {
            fresh_dir(to); auto s = make_tree("tree"); s->open(to, true); double seconds = timed([&] { REQUIRE(s->importAll(all)); });
            s->close(); s->open(to, false); REQUIRE(s->full() == t.w.full); s->close(); sh("rm -rf '" + to + "'"); return seconds; }); };
    rows["T_export"] = [=](int times) {
        auto& t = get(); auto& s = t.store("tree"); uint64_t hash = t.w.textHash(); std::string to = t.dir + "/tree-export.json";
        return repeated(times, 4.0 * (double)t.w.messages(), [&] {
            double seconds = timed([&] { MessagesText out(to); s.exportAll(out); }); REQUIRE(MessagesText::ofFile(to) == hash); unlink(to.c_str()); return seconds; }); };
    rows["T_file"] = [=](int) { auto& t = get(); t.store("tree"); return Figure{ (double)t.bytes["tree"], 1 }; };
}
