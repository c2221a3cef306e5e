// `cudaFree(p);` as a statement becomes `(LOCKSTEP_DISCARDED("cudaFree") cudaFree(p));`, so that the runtime knows that
// the program does not look at the result (cuda_api/discarded.hpp). The parentheses hide the macro's comma where the
// statement is in a macro's argument.

#include <set>
#include <string_view>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// Without cudaGetLastError and cudaPeekAtLastError, which ask for errors, and without what fails here but not on
// another machine (cudaSetDevice).
// Each between two blanks.
constexpr std::string_view calls =
    " cudaCreateSurfaceObject cudaCreateTextureObject cudaDestroySurfaceObject cudaDestroyTextureObject "
    "cudaDeviceSynchronize cudaEventCreate cudaEventCreateWithFlags cudaEventDestroy cudaEventElapsedTime "
    "cudaEventQuery cudaEventRecord cudaEventRecordWithFlags cudaEventSynchronize cudaFree cudaFreeArray "
    "cudaFreeAsync cudaFreeHost cudaFuncSetAttribute cudaGraphAddChildGraphNode cudaGraphAddDependencies "
    "cudaGraphAddEmptyNode cudaGraphAddEventRecordNode cudaGraphAddEventWaitNode cudaGraphAddHostNode "
    "cudaGraphAddKernelNode cudaGraphAddMemAllocNode cudaGraphAddMemFreeNode cudaGraphAddMemcpyNode "
    "cudaGraphAddMemcpyNode1D cudaGraphAddMemsetNode cudaGraphChildGraphNodeGetGraph cudaGraphClone "
    "cudaGraphCreate cudaGraphDestroy cudaGraphDestroyNode cudaGraphExecDestroy cudaGraphExecGetFlags "
    "cudaGraphExecHostNodeSetParams cudaGraphExecKernelNodeSetParams cudaGraphExecMemcpyNodeSetParams "
    "cudaGraphExecMemcpyNodeSetParams1D cudaGraphExecMemsetNodeSetParams cudaGraphExecUpdate cudaGraphGetEdges "
    "cudaGraphGetNodes cudaGraphGetRootNodes cudaGraphHostNodeGetParams cudaGraphHostNodeSetParams "
    "cudaGraphInstantiate cudaGraphInstantiateWithFlags cudaGraphInstantiateWithParams "
    "cudaGraphKernelNodeGetParams cudaGraphKernelNodeSetParams cudaGraphLaunch cudaGraphMemAllocNodeGetParams "
    "cudaGraphMemFreeNodeGetParams cudaGraphMemcpyNodeGetParams cudaGraphMemcpyNodeSetParams "
    "cudaGraphMemcpyNodeSetParams1D cudaGraphMemsetNodeGetParams cudaGraphMemsetNodeSetParams "
    "cudaGraphNodeFindInClone cudaGraphNodeGetDependencies cudaGraphNodeGetDependentNodes cudaGraphNodeGetType "
    "cudaGraphRemoveDependencies cudaGraphUpload cudaHostAlloc cudaHostRegister cudaHostUnregister "
    "cudaLaunchCooperativeKernel cudaLaunchHostFunc cudaLaunchKernel cudaMalloc cudaMalloc3D cudaMalloc3DArray "
    "cudaMallocArray cudaMallocAsync cudaMallocHost cudaMallocManaged cudaMallocPitch cudaMemAdvise "
    "cudaMemPrefetchAsync cudaMemcpy cudaMemcpy2D cudaMemcpy2DArrayToArray cudaMemcpy2DAsync "
    "cudaMemcpy2DFromArray cudaMemcpy2DFromArrayAsync cudaMemcpy2DToArray cudaMemcpy2DToArrayAsync cudaMemcpy3D "
    "cudaMemcpy3DAsync cudaMemcpyAsync cudaMemcpyFromArray cudaMemcpyFromArrayAsync cudaMemcpyFromSymbol "
    "cudaMemcpyFromSymbolAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpyToArray cudaMemcpyToArrayAsync "
    "cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemset cudaMemset2D cudaMemset2DAsync cudaMemset3D "
    "cudaMemset3DAsync cudaMemsetAsync cudaStreamAddCallback cudaStreamAttachMemAsync cudaStreamBeginCapture "
    "cudaStreamBeginCaptureToGraph cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority "
    "cudaStreamDestroy cudaStreamEndCapture cudaStreamGetCaptureInfo cudaStreamGetFlags cudaStreamGetPriority "
    "cudaStreamIsCapturing cudaStreamQuery cudaStreamSynchronize cudaStreamUpdateCaptureDependencies "
    "cudaStreamWaitEvent cudaThreadSynchronize ";

bool is_api_call(Token const& token) {
    return token.kind == TokenKind::identifier && token.text.substr(0, 4) == "cuda" &&
           calls.find(" " + std::string(token.text) + " ") != std::string_view::npos;
}

// Whether token `before` ends a statement, or opens a block or the body of an `if` or a loop.
bool is_behind_statement(std::vector<Token> const& tokens, std::size_t before) {
    std::string_view const text = tokens[before].text;
    if (text == ")") {
        std::size_t const open = opening(tokens, before);
        std::string_view const head = open == 0 || open >= tokens.size() ? "" : tokens[open - 1].text;
        return head == "if" || head == "for" || head == "while";
    }
    return text == ";" || text == "{" || text == "}" || text == "else" || text == "do";
}

// The brackets that are open at a token. Those in branches of #if may have no counterpart.
class OpenBrackets {
public:
    explicit OpenBrackets(std::vector<Token> const& tokens) : tokens_(tokens) {}

    void pass(std::size_t i) {
        std::string_view const text = tokens_[i].text;
        if (text == "(" || text == "[" || text == "{") {
            open_.push_back(i);
        } else if (text == "}") {
            while (!open_.empty() && tokens_[open_.back()].text != "{") {
                open_.pop_back();
            }
            if (!open_.empty()) {
                open_.pop_back();
            }
        } else if (!open_.empty() && ((text == ")" && tokens_[open_.back()].text == "(") ||
                                      (text == "]" && tokens_[open_.back()].text == "["))) {
            open_.pop_back();
        }
    }
    // In a macro's argument, or in the head of a `for`: no statement.
    bool is_in_list() const { return !open_.empty() && tokens_[open_.back()].text != "{"; }
    // Whether the statement that ends with the semicolon is the last one of `({ ... })`, which is its value.
    bool is_value(std::size_t semicolon) const {
        return semicolon + 2 < tokens_.size() && tokens_[semicolon + 1].text == "}" &&
               tokens_[semicolon + 2].text == ")" && !open_.empty() && open_.back() > 0 &&
               tokens_[open_.back() - 1].text == "(";
    }

private:
    std::vector<Token> const& tokens_;
    std::vector<std::size_t> open_;
};

// Whether a name with parameters behind it is declared here: `cudaError_t cudaFree(`, outside of a function.
bool is_declared(Source const& source, Scopes const& scopes, std::size_t i) {
    static std::set<std::string_view> const no_types = {"return", "else",      "do",      "throw",
                                                        "case",   "co_return", "co_await"};
    Token const& before = source.code[i - 1];
    bool const is_name = before.kind == TokenKind::identifier && no_types.count(before.text) == 0;
    bool const has_type = is_name || before.text == "*" || before.text == "&" || before.text == ">";
    return has_type && source.code[i + 1].text == "(" && scopes.function_of(i) == nullptr;
}

}  // namespace

void add_macro_names(Source const& source, std::set<std::string>& names) {
    for (std::vector<Token> const& directive : source.directives) {
        if (directive.size() > 2 && directive[1].text == "define") {
            names.emplace(directive[2].text);
        }
    }
}

void add_own_api_names(Source const& source, Scopes const& scopes, std::set<std::string>& names) {
    for (std::size_t i = 1; i + 1 < source.code.size(); ++i) {
        if (is_api_call(source.code[i]) && is_declared(source, scopes, i)) {
            names.emplace(source.code[i].text);
        }
    }
}

void rewrite_discarded_calls(Source& source, std::vector<Token> const& tokens, Scopes const* scopes,
                             std::set<std::string> const& own_names) {
    OpenBrackets brackets(tokens);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        brackets.pass(i);
        std::string const name(tokens[i].text);
        if (i == 0 || tokens[i + 1].text != "(" || !is_api_call(tokens[i]) || own_names.count(name) != 0 ||
            brackets.is_in_list() || !is_behind_statement(tokens, i - 1)) {
            continue;
        }
        std::size_t const close = closing(tokens, i + 1);
        bool const is_statement =
            close + 1 < tokens.size() && tokens[close + 1].text == ";" && !brackets.is_value(close + 1);
        Function const* const function = scopes == nullptr ? nullptr : scopes->function_of(i);
        bool const on_host = scopes == nullptr || (function != nullptr && !function->runs_on_device_only());
        if (is_statement && on_host) {
            source.replace(tokens[i].begin, tokens[i].begin, "(LOCKSTEP_DISCARDED(\"" + name + "\") ");
            source.replace(tokens[close].end, tokens[close].end, ")");
        }
    }
}

}  // namespace lockstep::simt::emulate
