//! Circles of a graph.

use std::collections::BTreeMap;

/// The strongly connected components of more than one node, each sorted (Tarjan, "Depth-first search and linear graph
/// algorithms", 1972).
pub(super) fn circles<N: Clone + Ord>(graph: &BTreeMap<N, Vec<N>>) -> Vec<Vec<N>> {
    let mut search =
        Search { graph, index: BTreeMap::new(), low: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    for node in graph.keys() {
        if !search.index.contains_key(node) {
            search.visit(node);
        }
    }
    search.found
}

struct Search<'g, N> {
    graph: &'g BTreeMap<N, Vec<N>>,
    index: BTreeMap<N, usize>,
    low: BTreeMap<N, usize>,
    stack: Vec<N>,
    found: Vec<Vec<N>>,
}

impl<N: Clone + Ord> Search<'_, N> {
    fn visit(&mut self, node: &N) {
        let number = self.index.len();
        self.index.insert(node.clone(), number);
        self.low.insert(node.clone(), number);
        self.stack.push(node.clone());
        for other in self.graph.get(node).into_iter().flatten() {
            let reached = if !self.index.contains_key(other) {
                self.visit(other);
                self.low[other]
            } else if self.stack.contains(other) {
                self.index[other]
            } else {
                continue;
            };
            let low = self.low[node].min(reached);
            self.low.insert(node.clone(), low);
        }
        if self.low[node] == number {
            let start = self.stack.iter().position(|other| other == node).expect("the node is on the stack");
            let mut component = self.stack.split_off(start);
            component.sort();
            if component.len() > 1 {
                self.found.push(component);
            }
        }
    }
}
