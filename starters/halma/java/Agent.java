// Halma: the legal move that leads furthest. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.nio.file.*;
import java.util.*;

public class Agent {
    // A board has a border two wide: the square x,y is board[20 * (y + 2) + x + 2]. A move is the list of its squares.
    static final int[] WAYS = {-21, -20, -19, -1, 1, 19, 20, 21}, WIDTH = {5, 5, 4, 3, 2}; // WIDTH: of a camp's rows

    static int goal(char side) { // the far corner is goal,goal
        return side == 'B' ? 15 : 0;
    }

    static boolean camp(int square, int corner) {
        int x = Math.abs(corner - (square % 20 - 2)), y = Math.abs(corner - (square / 20 - 2));
        return y < 5 && x < WIDTH[y];
    }

    static void addMoves(char[] board, int[] path, Set<Integer> reached, List<int[]> moves) { // those that begin with this path
        int last = path.length, start = path[0];
        for (int way : WAYS) {
            int over = path[last - 1] + way, end = over + way;
            if (last == 1 && board[over] == '.') moves.add(new int[] {start, over});
            boolean jumps = Character.isLetter(board[over]) && over != start && board[end] == '.';
            if (!jumps || !reached.add(end)) continue;
            int[] longer = Arrays.copyOf(path, last + 1);
            longer[last] = end;
            moves.add(longer);
            addMoves(board, longer, reached, moves);
        }
    }

    static int gain(int[] path, int goal, int row) { // how much nearer to the far corner, in y if row is 20 and in x if it is 1
        int from = path[0] / row % 20 - 2, to = path[path.length - 1] / row % 20 - 2;
        return Math.abs(goal - from) - Math.abs(goal - to);
    }

    static int gain(int[] path, char side) {
        return gain(path, goal(side), 1) + gain(path, goal(side), 20);
    }

    static int rank(int[] path, int goal) { // legal are those of the highest rank, except 0 (addendum, rule 2)
        int from = path[0], to = path[path.length - 1];
        boolean starts = camp(from, 15 - goal), ends = camp(to, 15 - goal);
        if (camp(from, goal) && !camp(to, goal) || !starts && ends) return 0;
        return starts && !ends ? 3 : starts && gain(path, goal, 1) >= 0 && gain(path, goal, 20) >= 0 ? 2 : 1;
    }

    static List<int[]> legalMoves(char[] board, char side) { // all legal moves of a side, B or W, on a board
        List<int[]> moves = new ArrayList<>();
        for (int square = 0; square < 400; square++) {
            if (board[square] == side) addMoves(board, new int[] {square}, new HashSet<>(), moves);
        }
        int highest = Math.max(1, moves.stream().mapToInt(path -> rank(path, goal(side))).max().orElse(0));
        moves.removeIf(path -> rank(path, goal(side)) < highest);
        return moves;
    }

    static char[] play(char[] board, int[] path) { // the board after a move
        char[] after = board.clone();
        after[path[path.length - 1]] = board[path[0]];
        after[path[0]] = '.';
        return after;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        char side = lines.get(1).charAt(0); // line 3 has the CPU seconds: a search has to keep to them
        char[] board = "#".repeat(400).toCharArray();
        for (int y = 0; y < 16; y++) lines.get(y + 3).getChars(0, 16, board, 20 * (y + 2) + 2);
        int[] best = {};
        for (int[] path : legalMoves(board, side)) {
            if (best.length == 0 || gain(path, side) > gain(best, side)) best = path;
        }
        StringBuilder text = new StringBuilder(); // without a legal move the file is empty
        for (int i = 1; i < best.length; i++) {
            int x = best[i - 1] % 20 - 2, y = best[i - 1] / 20 - 2, toX = best[i] % 20 - 2, toY = best[i] / 20 - 2;
            boolean step = Math.max(Math.abs(x - toX), Math.abs(y - toY)) == 1;
            text.append(step ? "E " : "J ").append(x + "," + y + " " + toX + "," + toY + "\n");
        }
        Files.write(Path.of("output.txt"), text.toString().getBytes());
    }
}
