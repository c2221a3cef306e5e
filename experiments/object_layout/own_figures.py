"""Figures of measurements that the paper does not have."""

from __future__ import annotations

from experiments.object_layout import measures, titles
from experiments.object_layout.measures import PLAIN, agents_of, in_sweep
from plots.drawing import Axis
from plots.figures import Lines, Ranking, Stated
from plots.quantity import Variable, number_of, rate, time
from plots.results import Case, View

AGENT_COUNT = Variable(Axis("agents", "1", "log2"), agents_of)
TYPES = Variable(Axis("classes", "1", "log2"), number_of("types"))
TICKS_PER_LAUNCH = Variable(Axis("ticks per launch", "1", "log2"), number_of("ticks"))
OBJECT_BYTES = Variable(Axis("size of an agent", "bytes", "log2"), number_of("object_bytes"))
CHAIN = Variable(Axis("maps in the chain", "1"), number_of("chain"))
SECTIONS = Variable(Axis("sections per 1000 ticks", "1", "log10"), number_of("sections"))
#: The paper's kernel, hand-tuned columns with __restrict__, and our kernel.
COMPARED = ("switch", "restrict_columns", "registers")
LAUNCH = dict(
    **PLAIN, machine="cuda", ticks="1000", object_bytes="56", streets="500", variant=COMPARED, case=measures.counted
)
LAYOUTS = "soa: columns, aos: structures, aos_padded: structures of 56 bytes, aosoa: blocks of columns."


def order_panel(case: Case) -> str:
    return {"jobs": "shuffled, job array"}.get(case.axes["order"], case.axes["order"]) + " agents"


def layout_panel(case: Case) -> str:
    return {"soa": "columns", "aos": "structures"}.get(case.axes["layout"], case.axes["layout"])


def fills_the_cache(view: View) -> float:
    """The size at which the agents of the sweep fill the L2 cache."""
    return view.attribute("l2_bytes") / (1 << 20)


ORDER_PANELS = ("order", order_panel)
LAYOUT_PANELS = ("layout", layout_panel)

OWN_FIGURES = (
    Lines(
        "agents",
        "Agent-ticks per second against agents: sorted, 1000 ticks per launch, mode live",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="live", order="sorted", **LAUNCH),
        by=("variant", "layout"),
        caption=f"The paper's kernel is switch; ours is registers; restrict_columns is tuned by hand. {LAYOUTS} The paper's scenario has "
        "20,480 agents in mode faithful.",
        finding=titles.more_agents,
    ),
    Lines(
        "agents_orders",
        "Agent-ticks per second against agents: the paper's kernel in three orders, mode live",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="live", layout=("soa", "aos"), **(LAUNCH | dict(variant="switch"))),
        by=("order",),
        panels=LAYOUT_PANELS,
        caption="A job array leaves the agents shuffled in memory and gives each warp jobs of one class; sorted agents are also next to one "
        "another in memory. The title is about columns.",
        finding=titles.orders,
    ),
    Lines(
        "agents_faithful",
        "Agent-ticks per second against agents: 1000 ticks per launch, mode faithful",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="faithful", **LAUNCH),
        by=("variant", "layout"),
        panels=ORDER_PANELS,
        published=dict(mode="faithful", layout=("soa", "aos")),
        caption=f"Agents read a static table of random numbers, as in the paper, whose points are of Figure 8. {LAYOUTS}",
        finding=titles.faithful,
    ),
    Lines(
        "object_bytes",
        "Agent-ticks per second against object size, 2^20 agents, the paper's kernel",
        OBJECT_BYTES,
        rate("agent-ticks", scale="linear"),
        dict(machine="cuda", layout="aos_padded", case=in_sweep("object_bytes")),
        by=("order",),
        stated=(
            Stated("L2 cache full", fills_the_cache, axis="x"),
            Stated("L1 cache line", lambda view: view.fact("line"), axis="x"),
        ),
        caption="The methods use 16 bytes of each object; the rest is padding. Right of the first line, all agents together no longer fit into the L2 cache; "
        "at the second, no two agents share a line of the L1 cache.",
        finding=titles.object_size,
    ),
    Lines(
        "types",
        "Agent-ticks per second against classes, 2^20 agents in columns",
        TYPES,
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("types")),
        panels=ORDER_PANELS,
        caption="Dispatch of a method: a switch in each tick (the paper), one that holds only what differs (factored), one before the ticks (inlined), "
        "a launch per class, a table of functions. "
        "With one class all agents are cars; with more, half are pedestrians, so one class is another workload.",
        finding=titles.classes,
    ),
    Lines(
        "ticks",
        "Agent-ticks per second against ticks per launch, 2^22 agents in columns",
        TICKS_PER_LAUNCH,
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("ticks")),
        panels=ORDER_PANELS,
        caption="Our kernel, registers, chooses among four kernels by the numbers of agents and ticks. Hand-tuned columns and our kernel need "
        "sorted agents.",
        finding=titles.ticks,
    ),
    Lines(
        "fusion",
        "Time of a chain of maps over 2^26 floats, fused and unfused",
        CHAIN,
        time("time", "linear"),
        dict(program="maps", machine="cuda", case=in_sweep("fusion")),
        caption="Unfused maps each read and write an array; fused maps are one kernel that reads the input once and writes the result once. The "
        "paper states no time.",
        finding=titles.fusion,
    ),
    Lines(
        "sections",
        "Time of 1000 ticks: columns sent for every section, or resident",
        SECTIONS,
        time("time"),
        dict(machine="cuda", case=in_sweep("sections")),
        panels=ORDER_PANELS,
        caption="These times include transfers and writing back into host objects. The paper sends columns for every section and names resident "
        "columns as future work.",
        finding=titles.sections,
    ),
    Ranking(
        "dispatch",
        "Agent-ticks per second by method dispatch: 2^20 sorted agents as structures",
        rate("agent-ticks", scale="linear"),
        dict(machine="cuda", layout="aos", order="sorted", case=in_sweep("dispatch")),
        caption="The paper's switch compares the class tag in each tick, inlined once before the ticks. factored has only what differs between the "
        "classes in the switch. per_type launches a kernel per class. table and virtual call a function that cannot be inlined.",
        finding=titles.dispatch,
    ),
)
