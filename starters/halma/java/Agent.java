// Halma: the legal move that leads furthest. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.nio.file.*;
import java.util.*;

public class Agent {
    static char[] board = "#".repeat(400).toCharArray(); // with a border two wide: x,y is board[20 * (y + 2) + x + 2]
    static final int[] WAYS = {-21, -20, -19, -1, 1, 19, 20, 21}, WIDTH = {5, 5, 4, 3, 2}; // WIDTH: of a camp's rows
    static int goal; // the far corner is goal,goal
    static List<int[]> moves = new ArrayList<>(); // each as its squares: a step, or a chain of jumps

    static boolean camp(int square, int corner) {
        int x = Math.abs(corner - (square % 20 - 2)), y = Math.abs(corner - (square / 20 - 2));
        return y < 5 && x < WIDTH[y];
    }

    static void addMoves(int[] path, Set<Integer> reached) { // those that begin with this path
        int last = path.length, start = path[0];
        for (int way : WAYS) {
            int over = path[last - 1] + way, end = over + way;
            if (last == 1 && board[over] == '.') moves.add(new int[] {start, over});
            boolean jumps = Character.isLetter(board[over]) && over != start && board[end] == '.';
            if (!jumps || !reached.add(end)) continue;
            int[] longer = Arrays.copyOf(path, last + 1);
            longer[last] = end;
            moves.add(longer);
            addMoves(longer, reached);
        }
    }

    static int worth(int[] path) { // 0: not legal; from 300: out of the own camp, which goes first (addendum, rule 2)
        int from = path[0], to = path[path.length - 1];
        boolean starts = camp(from, 15 - goal), ends = camp(to, 15 - goal);
        if (camp(from, goal) && !camp(to, goal) || !starts && ends) return 0;
        int x = Math.abs(goal - from % 20 + 2) - Math.abs(goal - to % 20 + 2); // how much nearer to the far corner
        int y = Math.abs(goal - from / 20 + 2) - Math.abs(goal - to / 20 + 2);
        return x + y + (starts && !ends ? 300 : starts && x >= 0 && y >= 0 ? 200 : 100);
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        String side = lines.get(1).trim(); // line 3 has the CPU seconds: enough for this agent, and a search has to ask
        for (int y = 0; y < 16; y++) lines.get(y + 3).getChars(0, 16, board, 20 * (y + 2) + 2);
        goal = side.equals("BLACK") ? 15 : 0;
        for (int square = 0; square < 400; square++) {
            if (board[square] == side.charAt(0)) addMoves(new int[] {square}, new HashSet<>());
        }
        int[] best = {};
        for (int[] path : moves) {
            if (worth(path) > (best.length == 0 ? 0 : worth(best))) best = path;
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
