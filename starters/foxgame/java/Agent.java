// FoxGame: a legal move, capturing where it can. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;

public class Agent {
    static String[] rows = new String[7]; // the point x,y is rows[y].charAt(x)

    static char at(int x, int y) {
        return x < 0 || y < 0 || x > 6 || y > 6 ? '#' : rows[y].charAt(x);
    }

    static boolean late(double seconds) { // a small part of the clock is used: stop early
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > seconds / 50 * 1e9;
    }

    static String after(int[] m) { // the board after a step, as the lines of earlier boards have it
        StringBuilder board = new StringBuilder(String.join("", rows));
        board.setCharAt(7 * m[3] + m[2], at(m[0], m[1]));
        board.setCharAt(7 * m[1] + m[0], '.');
        return board.toString().replace("#", "");
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        String side = lines.get(1).trim();
        double seconds = Double.parseDouble(lines.get(2).trim()); // for this move (SINGLE) or for the whole game (GAME)
        for (int y = 0; y < 7; y++) rows[y] = lines.get(3 + y).trim();
        Set<String> earlier = new HashSet<>(lines.subList(10, lines.size())); // boards that must not come back (deadlock)
        List<int[]> legal = new ArrayList<>(); // steps, and single jumps; chains of jumps are left for you to add
        for (int cell = 0; cell < 49 * 9; cell++) {
            int x = cell / 9 % 7, y = cell / 63, dx = cell % 3 - 1, dy = cell % 9 / 3 - 1;
            boolean joined = dx == 0 || dy == 0 || (x + y) % 2 == 0; // diagonals only where x + y is even
            if (at(x, y) != side.charAt(0) || !joined) continue;
            char there = at(x + dx, y + dy);
            if (there == '.' && (side.equals("FOX") || dy <= 0)) legal.add(new int[] {x, y, x + dx, y + dy, 0});
            if (there == 'S' && side.equals("FOX") && at(x + 2 * dx, y + 2 * dy) == '.') {
                legal.add(new int[] {x, y, x + 2 * dx, y + 2 * dy, 1});
            }
        }
        Collections.shuffle(legal);
        int[] best = null;
        int bestWorth = 0;
        for (int[] move : legal) {
            int worth = move[4] == 1 ? 3 : earlier.contains(after(move)) ? 1 : 2;
            if (worth > bestWorth) best = move;
            bestWorth = Math.max(worth, bestWorth);
            if (late(seconds)) break;
        }
        String squares = best[0] + "," + best[1] + " " + best[2] + "," + best[3];
        Files.write(Path.of("output.txt"), ((best[4] == 1 ? "J " : "E ") + squares + "\n").getBytes());
    }
}
