#include <set>

#include "baselines/term_rewriting/emit.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/jit/code_writer.hpp"

namespace lockstep::term_rewriting {

namespace {

// Inputs encode each symbol as one or two of these characters.
constexpr std::string_view alphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_{|}";

class OcamlWriter {
public:
    explicit OcamlWriter(System const& system) : system_(system), rules_(system.rules_of_symbols()) {}

    // Passes each part of the text to `write`.
    void run(Write const& write) {
        code_.line(
            "(* Written by `lockstep rewrite --emit ocaml`. Deep terms need a deep stack: ulimit -s unlimited *)");
        code_.line();
        types();
        functions();
        printer();
        write(code_.take());
        tables();
        write(code_.take());
        for (TermId const term : system_.inputs)
            write("\n  \"" + postfix(term) + "\";");
        write("]\n\n");
        write(main_text);
    }

private:
    static std::string type(SortId sort) { return fmt::format("t{}", sort); }

    // Numbers make names valid and unique; the first letters and digits of the user's name make them readable.
    std::string suffix(SymbolId symbol) const {
        constexpr std::size_t max_letters = 40;
        std::string text = fmt::format("{}_", symbol);
        for (char const c : system_.symbols[symbol].name.substr(0, max_letters))
            text += (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : '_';
        return text;
    }
    std::string constructor(SymbolId symbol) const { return "K" + suffix(symbol); }
    std::string function(SymbolId symbol) const { return "f" + suffix(symbol); }

    void types() {
        for (SortId sort = 0; sort < system_.sorts.size(); ++sort)
            code_.line("{} {} = |{}", sort == 0 ? "type" : "and", type(sort), constructors(sort));
        code_.line();
    }

    std::string constructors(SortId sort) const {
        std::string text;
        std::size_t with_arguments = 0;
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            Symbol const& of = system_.symbols[symbol];
            if (of.result != sort)
                continue;
            std::vector<std::string> arguments;
            for (SortId const argument : of.arguments)
                arguments.push_back(type(argument));
            text += (text.empty() ? " " : " | ") + constructor(symbol);
            if (!arguments.empty()) {
                text += " of " + bench::joined(arguments, " * ");
                ++with_arguments;
            }
        }
        constexpr std::size_t max_constructors = 246;  // OCaml's limit per type, for constructors with arguments
        if (with_arguments > max_constructors) {
            throw bench::Error(
                "sort " + system_.sorts[sort] + " has too many symbols for OCaml",
                std::to_string(with_arguments) + " with arguments, at most " + std::to_string(max_constructors));
        }
        return text;
    }

    static std::string applied(std::string const& name, std::vector<std::string> const& arguments) {
        return arguments.empty() ? name : name + " (" + bench::joined(arguments) + ")";
    }

    std::string call(SymbolId symbol, std::vector<std::string> const& arguments) const {
        if (!system_.symbols[symbol].defined)
            return "(" + applied(constructor(symbol), arguments) + ")";
        return "(" + function(symbol) + " " + (arguments.empty() ? "()" : bench::joined(arguments, " ")) + ")";
    }

    void functions() {
        std::string keyword = "let rec";
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            if (!system_.symbols[symbol].defined)
                continue;
            std::vector<std::string> parameters;
            for (std::size_t i = 0; i < system_.arity(symbol); ++i)
                parameters.push_back(fmt::format("x{}", i));
            code_.line("{} {} {} = match {} with", keyword, function(symbol),
                       parameters.empty() ? "()" : bench::joined(parameters, " "),
                       parameters.empty() ? "()" : bench::joined(parameters));
            for (RuleId const rule : rules_[symbol])
                code_.line("{}", rule_text(rule));
            code_.line("  | _ -> {}", applied(constructor(symbol), parameters));
            keyword = "and";
        }
        code_.line();
    }

    std::string rule_text(RuleId id) const {
        Rule const& rule = system_.rules[id];
        std::vector<std::string> patterns;
        for (TermId const argument : system_.terms.arguments(rule.left))
            patterns.push_back(pattern(argument));
        std::string text = "  | " + (patterns.empty() ? "()" : bench::joined(patterns));
        for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
            Condition const& condition = rule.conditions[i];
            TermId const sides[] = {condition.left, condition.right};
            SharedTerms const shared = share(system_.terms, sides);
            text += (i == 0 ? " when " : " && ") + bindings(shared) + "(" + node(shared, shared.roots[0]) +
                    (condition.equal ? " = " : " <> ") + node(shared, shared.roots[1]) + ")" + closing(shared);
        }
        SharedTerms const shared = share(system_.terms, std::span(&rule.right, 1));
        return text + " -> " + bindings(shared) + node(shared, shared.roots[0]) + closing(shared);
    }

    std::string pattern(TermId term) const {
        if (system_.terms.is_variable(term))
            return fmt::format("y{}", system_.terms.variable_of(term));
        std::vector<std::string> arguments;
        for (TermId const argument : system_.terms.arguments(term))
            arguments.push_back(pattern(argument));
        return applied(constructor(system_.terms.symbol(term)), arguments);
    }

    // Nodes that occur more than once get a name.
    static std::set<std::uint32_t> named(SharedTerms const& shared) {
        std::vector<std::size_t> count(shared.nodes.size(), 0);
        for (SharedNode const& node : shared.nodes) {
            for (std::uint32_t const argument : node.arguments)
                ++count[argument];
        }
        for (std::uint32_t const root : shared.roots)
            ++count[root];
        std::set<std::uint32_t> names;
        for (std::uint32_t i = 0; i < count.size(); ++i) {
            if (count[i] > 1 && !shared.nodes[i].is_variable && !shared.nodes[i].arguments.empty())
                names.insert(i);
        }
        return names;
    }

    std::string bindings(SharedTerms const& shared) const {
        std::set<std::uint32_t> const names = named(shared);
        std::string text = names.empty() ? "" : "(";
        for (std::uint32_t const name : names)
            text += fmt::format("let s{} = {} in ", name, whole_node(shared, name, names));
        return text;
    }

    std::string closing(SharedTerms const& shared) const { return named(shared).empty() ? "" : ")"; }

    std::string node(SharedTerms const& shared, std::uint32_t id) const { return node(shared, id, named(shared)); }

    std::string node(SharedTerms const& shared, std::uint32_t id, std::set<std::uint32_t> const& names) const {
        if (shared.nodes[id].is_variable)
            return fmt::format("y{}", shared.nodes[id].head);
        return names.count(id) != 0 ? fmt::format("s{}", id) : whole_node(shared, id, names);
    }

    std::string whole_node(SharedTerms const& shared, std::uint32_t id, std::set<std::uint32_t> const& names) const {
        std::vector<std::string> arguments;
        for (std::uint32_t const argument : shared.nodes[id].arguments)
            arguments.push_back(node(shared, argument, names));
        return call(shared.nodes[id].head, arguments);
    }

    // The inside of a string literal.
    static std::string quoted(std::string_view text) {
        std::string inside;
        for (char const c : text) {
            bool const plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
            inside += plain ? std::string(1, c) : fmt::format("\\{:03}", static_cast<unsigned char>(c));
        }
        return inside;
    }

    // Prints with an explicit list of pending pieces, so the depth of the term does not matter.
    void printer() {
        std::string pieces = "type piece = Text of string";
        for (SortId sort = 0; sort < system_.sorts.size(); ++sort)
            pieces += fmt::format(" | P{} of {}", sort, type(sort));
        code_.line("{}", pieces);
        code_.line("let rec print_pieces = function");
        code_.line("  | [] -> ()");
        code_.line("  | Text text :: rest -> print_string text; print_pieces rest");
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            Symbol const& of = system_.symbols[symbol];
            std::vector<std::string> names;
            std::string arguments;
            for (std::size_t i = 0; i < of.arguments.size(); ++i) {
                names.push_back(fmt::format("a{}", i));
                arguments += fmt::format("{}P{} {} :: ", i == 0 ? "" : "Text \",\" :: ", of.arguments[i], names[i]);
            }
            code_.line("  | P{} ({}) :: rest -> print_string \"{}{}\"; print_pieces ({}{}rest)", of.result,
                       applied(constructor(symbol), names), quoted(of.name), names.empty() ? "" : "(", arguments,
                       names.empty() ? "" : "Text \")\" :: ");
        }
        for (SortId sort = 0; sort < system_.sorts.size(); ++sort) {
            bool const empty = constructors(sort).empty();
            if (empty)
                code_.line("  | P{} _ :: rest -> print_pieces rest", sort);
        }
        code_.line();
    }

    // Writes the application of a symbol to values of any type, and the start of the list of inputs.
    void tables() {
        std::string defined;
        std::string arities;
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            if (system_.symbols[symbol].defined)
                defined += fmt::format("{}{}", defined.empty() ? "" : " | ", symbol);
            arities += fmt::format("{};", system_.arity(symbol));
        }
        code_.line("let is_defined = function {}{}_ -> false", defined, defined.empty() ? "" : " -> true | ");
        code_.line("let arities = [|{}|]", arities);
        code_.line("let apply symbol (a : Obj.t array) : Obj.t = match symbol with");
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            std::vector<std::string> arguments;
            for (std::size_t i = 0; i < system_.arity(symbol); ++i)
                arguments.push_back(fmt::format("(Obj.obj a.({}))", i));
            code_.line("  | {} -> Obj.repr {}", symbol, call(symbol, arguments));
        }
        code_.line("  | _ -> assert false");
        code_.line("let print symbol (value : Obj.t) = match symbol with");
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            code_.line("  | {} -> print_pieces [P{} (Obj.obj value); Text \"\\n\"]", symbol,
                       system_.symbols[symbol].result);
        }
        code_.line("  | _ -> assert false");
        code_.line("let alphabet = \"{}\"", alphabet);
        code_.line("let wide = {}", wide());
        code_.append("let inputs = [");
    }

    bool wide() const { return system_.symbols.size() > alphabet.size(); }

    // Returns the term in the program's input format: symbols after their arguments.
    std::string postfix(TermId root) const {
        std::string text;
        std::vector<std::pair<TermId, std::size_t>> open = {{root, 0}};
        while (!open.empty()) {
            auto& [term, next] = open.back();
            auto const arguments = system_.terms.arguments(term);
            if (next < arguments.size()) {
                open.emplace_back(arguments[next++], 0);
                continue;
            }
            SymbolId const symbol = system_.terms.symbol(term);
            text += alphabet[symbol % alphabet.size()];
            if (wide())
                text += alphabet[symbol / alphabet.size()];
            open.pop_back();
        }
        return text;
    }

    static constexpr char const* main_text = R"(type input = Value of Obj.t | Apply of int * input array

let code c = String.index alphabet c
let read text =
  let stack = ref [] in
  let size = if wide then 2 else 1 in
  for i = 0 to String.length text / size - 1 do
    let symbol =
      if wide then code text.[2 * i] + String.length alphabet * code text.[2 * i + 1] else code text.[i] in
    let arguments = Array.make arities.(symbol) (Value (Obj.repr 0)) in
    for j = arities.(symbol) - 1 downto 0 do
      match !stack with
      | top :: rest -> arguments.(j) <- top; stack := rest
      | [] -> assert false
    done;
    let value = function Value value -> Some value | Apply _ -> None in
    let is_value argument = value argument <> None in
    let term =
      if is_defined symbol || not (Array.for_all is_value arguments) then Apply (symbol, arguments)
      else Value (apply symbol (Array.map (function Value v -> v | Apply _ -> assert false) arguments)) in
    stack := term :: !stack
  done;
  List.hd !stack

let rec evaluate = function
  | Value value -> value
  | Apply (symbol, arguments) -> apply symbol (Array.map evaluate arguments)

let head text =
  let last = String.length text - 1 in
  if wide then code text.[last - 1] + String.length alphabet * code text.[last] else code text.[last]

let () =
  let seconds = ref 0.0 in
  List.iter (fun text ->
    let input = read text in
    Gc.full_major ();
    let start = Sys.time () in
    let result = evaluate input in
    seconds := !seconds +. (Sys.time () -. start);
    print (head text) result) inputs;
  Printf.eprintf "seconds %.6f\n" !seconds
)";

    System const& system_;
    std::vector<std::vector<RuleId>> rules_;
    jit::CodeWriter code_;
};

}  // namespace

void emit_ocaml(System const& system, Write const& write) { OcamlWriter(system).run(write); }

}  // namespace lockstep::term_rewriting
